package jfs.programs.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Key stores, each with one key and its certificate. Each run makes new ones, so none can expire in the source tree.
 */
public final class Keys {

    /** The password of all key stores. */
    public static final String PASSWORD = "changeit";

    private final Path folder;
    private final Path known;

    /** @param folder an empty folder for the key stores */
    public Keys(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        known = make("localhost");
    }

    /** Makes another key store, whose certificate no program trusts. */
    public Path stranger() throws IOException, InterruptedException {
        return make("stranger");
    }

    private Path make(String name) throws IOException, InterruptedException {
        Path file = folder.resolve(name + ".p12");
        File said = folder.resolve(name + ".txt").toFile();
        String program = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process keytool = new ProcessBuilder(program, "-genkeypair", "-alias", name, "-dname", "CN=" + name,
                "-ext", "san=dns:localhost,ip:127.0.0.1", "-keyalg", "EC", "-groupname", "secp256r1",
                "-startdate", "-1d", "-validity", "3",
                "-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", file.toString())
                .redirectErrorStream(true).redirectOutput(said).start();
        if (!keytool.waitFor(Program.LIMIT.toSeconds(), TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            keytool.destroyForcibly();
            throw new AssertionError("keytool failed: " + Files.readString(said.toPath()));
        }
        return file;
    }

    /**
     * Gives a program the known key, which all programs share and which is the only trusted one. The ciphers are those
     * that Java code computes fast in a JVM that is too young to have compiled it well.
     */
    public Program.Start in(Program.Start program) {
        return program.with("-Djavax.net.ssl.keyStore=" + known).with("-Djavax.net.ssl.keyStorePassword=" + PASSWORD)
                .with("-Djavax.net.ssl.trustStore=" + known).with("-Djavax.net.ssl.trustStorePassword=" + PASSWORD)
                .with("-Djdk.tls.client.cipherSuites=TLS_CHACHA20_POLY1305_SHA256,"
                        + "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256");
    }
}
