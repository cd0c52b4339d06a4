package programs.web;

import programs.Bytes;

/** The contents of the site. They are the same for all servers. */
final class Site {

    /** The length of the file that the site has. */
    static final int FILE = 1 << 20;

    private Site() {
    }

    /** The file. A server may send it in another way than the other answers. */
    static byte[] file() {
        return Bytes.of(FILE, FILE);
    }

    /**
     * The answer to a request.
     *
     * @param path /echo, /file, or /bytes/ and the length of the answer
     */
    static byte[] answer(String path, byte[] body) {
        if (path.equals("/echo")) {
            return body;
        }
        if (path.equals("/file")) {
            return file();
        }
        int length = Integer.parseInt(path.substring("/bytes/".length()));
        return Bytes.of(length, length);
    }
}
