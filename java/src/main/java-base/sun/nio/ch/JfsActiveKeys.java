package sun.nio.ch;

import java.util.Arrays;

/** The active keys of a {@link JfsSelector}, in no order (NIO-1). Used by the selecting thread. */
final class JfsActiveKeys {

    private JfsRegistration[] all = new JfsRegistration[16];
    private int count;

    final int count() {
        return count;
    }

    final JfsRegistration get(int index) {
        return all[index];
    }

    final void add(JfsRegistration it) {
        it.looksInVain = 0;
        if (!it.isActive) {
            if (count == all.length) {
                all = Arrays.copyOf(all, 2 * count);
            }
            it.isActive = true;
            all[count++] = it;
        }
    }

    /** The key is not looked at any more, until it has news. The last one takes its place in the list. */
    final void remove(int index) {
        all[index].isActive = false;
        all[index].events = 0;
        all[index] = all[--count];
        all[count] = null;
    }

    /** A key whose interest set differs from what is watched stays, for the next selection. */
    final void removeIfUnchanged(int index) {
        if (all[index].watched == all[index].wanted()) {
            remove(index);
        }
    }

    /** What the program has changed takes effect now, and in the next selection only if it is changed later. */
    final void takeInterest() {
        for (int i = 0; i < count; i++) {
            all[i].watched = all[i].wanted();
        }
    }
}
