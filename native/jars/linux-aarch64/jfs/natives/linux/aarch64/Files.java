package jfs.natives.linux.aarch64;

import java.io.InputStream;
import jfs.nativelib.NativeFiles;

/** The native libraries in this jar. */
public final class Files implements NativeFiles {

    /** Made by the service loader. */
    public Files() {
    }

    @Override
    public InputStream open(String platform, String name) {
        return Files.class.getResourceAsStream("/jfs/nativelib/" + platform + "/" + name);
    }
}
