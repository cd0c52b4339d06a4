package sun.nio.ch;

import java.io.IOException;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The JDK's selector, which tells the {@link JfsEnd}s of its keys that they are registered, what the program waits for, and when the
 * selector lets go of them. For all other keys it only looks whether they have an end.
 */
final class JfsSelector extends EPollSelectorImpl {

    /** The keys whose channels have an end that was told of its registration. */
    private final Set<SelectionKeyImpl> told = ConcurrentHashMap.newKeySet();

    JfsSelector(SelectorProvider provider) throws IOException {
        super(provider);
    }

    @Override
    protected void implRegister(SelectionKeyImpl key) {
        super.implRegister(key);
        JfsEnd end = JfsChannel.endOf(key);
        if (end != null) {
            end.registered(this);
            told.add(key);
            if (!isOpen()) { // a close that runs now may have looked before: one of the two finds the key
                letGo(key);
            }
        }
    }

    @Override
    public void setEventOps(SelectionKeyImpl key) {
        super.setEventOps(key);
        JfsEnd end = JfsChannel.endOf(key);
        if (end != null) {
            end.interestSet(this, key.nioInterestOps());
        }
    }

    @Override
    protected void implDereg(SelectionKeyImpl key) throws IOException {
        try {
            super.implDereg(key);
        } finally {
            letGo(key);
        }
    }

    /** The JDK closes a selector without a call of {@link #implDereg}. */
    @Override
    protected void implClose() throws IOException {
        try {
            super.implClose();
        } finally {
            for (SelectionKeyImpl key : told) {
                letGo(key);
            }
        }
    }

    private void letGo(SelectionKeyImpl key) {
        JfsEnd end = JfsChannel.endOf(key);
        if (end != null && told.remove(key)) {
            end.deregistered(this);
        }
    }

    /** As the JDK's own selector writes itself. */
    @Override
    public String toString() {
        return EPollSelectorImpl.class.getName() + '@' + Integer.toHexString(hashCode());
    }
}
