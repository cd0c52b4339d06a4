package jfs.launcher.selftest;

/** How a check has ended. */
enum Verdict {
    /** All is well. */
    OK("ok"),
    /** Connections become fast, but something costs speed, or is wrong for some connections. It has a remedy. */
    ISSUE("issue"),
    /** No connection, or none of an important kind, becomes fast. It has a remedy. */
    FAILED("failed"),
    /** Something is not there, or was not tried, and that does not matter by itself. */
    ABSENT("absent");

    private final String word;

    Verdict(String word) {
        this.word = word;
    }

    /** The verdict as the command prints it. */
    String word() {
        return word;
    }
}
