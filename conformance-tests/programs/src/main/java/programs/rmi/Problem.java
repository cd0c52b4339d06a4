package programs.rmi;

/** An exception of the program's own. */
public final class Problem extends Exception {

    private static final long serialVersionUID = 1L;

    private final int code;

    Problem(String message, int code, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    int code() {
        return code;
    }
}
