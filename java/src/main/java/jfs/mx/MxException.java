package jfs.mx;

import java.io.IOException;
import jfs.nativelib.Mx;
import jfs.spi.NoResourcesException;
import jfs.spi.OtherVersionException;

/** An MX call has failed, for a reason that has no exception of its own. */
public final class MxException extends IOException {

    private static final long serialVersionUID = 1;

    MxException(String message) {
        super(message);
    }

    /** @throws IOException unless the call's result is {@link Mx#OK} */
    static void check(String call, int error) throws IOException {
        if (error == Mx.OK) {
            return;
        }
        String message = call + ": " + Mx.errorText(error);
        switch (error) {
            case Mx.NO_RESOURCES -> throw new NoResourcesException(message);
            case Mx.BAD_LIB_VERSION -> throw new OtherVersionException(message);
            default -> throw new MxException(message);
        }
    }
}
