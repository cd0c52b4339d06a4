package jfs.negotiation.policy;

import jfs.stat.Reason;

/**
 * Why a connection stays on TCP.
 *
 * @param detail says more than the reason's own text; may be null
 */
public record Refusal(Reason reason, String detail) {
}
