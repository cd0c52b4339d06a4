package jfs.launcher.selftest;

/**
 * What one check has found.
 *
 * @param title the subject of the check
 * @param what what was found, one line
 * @param remedy what to do about it, one plain sentence; null if there is nothing to do
 */
record Finding(String title, Verdict verdict, String what, String remedy) {

    Finding {
        what = what.strip().replaceAll("\\R\\s*", " ");
    }

    static Finding ok(String title, String what) {
        return new Finding(title, Verdict.OK, what, null);
    }

    static Finding absent(String title, String what) {
        return new Finding(title, Verdict.ABSENT, what, null);
    }

    static Finding issue(String title, String what, String remedy) {
        return new Finding(title, Verdict.ISSUE, what, remedy);
    }

    static Finding failed(String title, String what, String remedy) {
        return new Finding(title, Verdict.FAILED, what, remedy);
    }
}
