package jfs.sisci;

import java.io.IOException;
import jfs.nativelib.Sisci;
import jfs.spi.NoResourcesException;
import jfs.spi.OtherVersionException;

/** A SISCI call has failed, with an error that has no exception class of its own. */
public final class SciException extends IOException {

    private static final long serialVersionUID = 1;

    private final int error;

    private SciException(String message, int error) {
        super(message);
        this.error = error;
    }

    /** The error code of SISCI. */
    public int error() {
        return error;
    }

    /** @throws IOException unless the call's result is {@link Sisci#OK} */
    static void check(String call, int error) throws IOException {
        if (error == Sisci.OK) {
            return;
        }
        String message = call + ": " + Sisci.errorText(error);
        switch (error) {
            case Sisci.SYSTEM, Sisci.NOSPC, Sisci.API_NOSPC -> throw new NoResourcesException(message);
            case Sisci.INCONSISTENT_VERSIONS -> throw new OtherVersionException(message);
            default -> throw new SciException(message, error);
        }
    }
}
