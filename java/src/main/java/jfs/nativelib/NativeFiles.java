package jfs.nativelib;

import java.io.IOException;
import java.io.InputStream;

/**
 * A jar with native libraries, which are not in the jar of the library's classes. It declares itself as a service: so it is found on the
 * class path, and on the module path without an option. {@link NativeLibrary} asks it once, in the thread that needs the libraries first.
 */
public interface NativeFiles {

    /**
     * Opens a native library. The caller closes the stream.
     *
     * @param platform such as "linux-x86-64"
     * @param name the name of the file, such as "libjfs_jni.so"
     * @return null if this jar does not have it
     */
    InputStream open(String platform, String name) throws IOException;
}
