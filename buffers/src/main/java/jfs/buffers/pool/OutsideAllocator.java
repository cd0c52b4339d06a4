package jfs.buffers.pool;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The buddy allocator whose bookkeeping is outside the slabs: each block has an object, which stays for the next time. This is the scheme
 * that Baker, Carpenter and Shafi ("A Buffering Layer to Support Derived Types and Proprietary Networks for Java HPC", section 2.3.2) call
 * Buddy2: its lists hold buffers, each slab has lists of its own, and the slabs are searched one after the other.
 *
 * <p>The blocks of a slab are the nodes of a complete binary tree. The node of the whole slab is 1, the halves of node n are 2n and 2n + 1.
 * So the buddy of n is n ^ 1, and what both are made of is n / 2. A block whose size is a power of two has no overhead, and no program can
 * destroy the bookkeeping. It costs 8 bytes for each smallest block of a slab, and about 130 bytes for each block that was ever used or
 * split off.
 */
final class OutsideAllocator extends BuddyAllocator {

    /** A block and its place in a list of free blocks of the same order. */
    private static final class Node extends Block {
        final Slab slab;
        final int number;
        /** Whether it is in the list of free blocks of its order. */
        boolean free;
        /** Whether somebody has it. A node that is neither free nor taken is split, or is a part of a greater block. */
        boolean taken;
        Node next;
        Node previous;

        Node(Slab slab, int number, int order, ByteBuffer memory) {
            super(order, memory);
            this.slab = slab;
            this.number = number;
        }
    }

    /** A slab and its free blocks. */
    private static final class Slab {
        final ByteBuffer memory;
        final int order;
        final Node[] nodes;
        /** The first free block of each order. */
        final Node[] heads;
        /** Bit k is set if there is a free block of order k. */
        int freeOrders;

        Slab(ByteBuffer memory, int order, int smallestOrder) {
            this.memory = memory;
            this.order = order;
            nodes = new Node[2 << order - smallestOrder];
            heads = new Node[order + 1];
        }

        Node node(int number) {
            Node node = nodes[number];
            return node != null ? node : newNode(number);
        }

        private Node newNode(int number) {
            int depth = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(number);
            int its = order - depth;
            int offset = number - (1 << depth) << its;
            return nodes[number] = new Node(this, number, its, memory.slice(offset, 1 << its));
        }

        void push(Node node) {
            Node head = heads[node.order];
            node.free = true;
            node.previous = null;
            node.next = head;
            if (head != null) {
                head.previous = node;
            }
            heads[node.order] = node;
            freeOrders |= 1 << node.order;
        }

        void remove(Node node) {
            node.free = false;
            if (node.previous == null) {
                heads[node.order] = node.next;
                if (node.next == null) {
                    freeOrders &= ~(1 << node.order);
                }
            } else {
                node.previous.next = node.next;
            }
            if (node.next != null) {
                node.next.previous = node.previous;
            }
        }

        boolean isFree() {
            return freeOrders == 1 << order;
        }
    }

    private final List<Slab> slabs = new ArrayList<>();

    OutsideAllocator(int smallestOrder, int slabOrder, boolean patterned) {
        super(smallestOrder, slabOrder, patterned);
    }

    @Override
    int overhead() {
        return 0;
    }

    @Override
    Block allocate(int order) {
        for (int i = 0; i < slabs.size(); i++) {
            Slab slab = slabs.get(i);
            int orders = slab.freeOrders >>> order;
            if (orders != 0) {
                Node node = slab.heads[order + Integer.numberOfTrailingZeros(orders)];
                slab.remove(node);
                int number = node.number;
                for (int size = node.order; size > order; size--) {
                    number <<= 1;
                    Node right = slab.node(number + 1);
                    right.lastOwner = null;
                    slab.push(right);
                }
                Node given = slab.node(number);
                if (given != node) {
                    given.lastOwner = null;
                }
                given.taken = true;
                return given;
            }
        }
        return null;
    }

    @Override
    void free(Block block) {
        Node node = (Node) block;
        if (!node.taken) {
            throw new IllegalStateException("jfs: a block of order " + node.order + " was freed before");
        }
        node.taken = false;
        Slab slab = node.slab;
        int number = node.number;
        for (; number > 1; number >>= 1) {
            Node buddy = slab.nodes[number ^ 1];
            if (buddy == null || !buddy.free) {
                break;
            }
            slab.remove(buddy);
        }
        Node merged = slab.node(number);
        if (merged != node) {
            merged.lastOwner = null;
        }
        slab.push(merged);
        if (number == 1 && anotherIsFree(slab)) {
            slabs.remove(slab);
            slabDropped();
        }
    }

    private boolean anotherIsFree(Slab slab) {
        for (int i = 0; i < slabs.size(); i++) {
            Slab each = slabs.get(i);
            if (each != slab && each.isFree()) {
                return true;
            }
        }
        return false;
    }

    @Override
    void addSlab() {
        Slab slab = new Slab(newSlab(), slabOrder, smallestOrder);
        slab.push(slab.node(1));
        slabs.add(slab);
    }

    @Override
    void dropFreeSlabs() {
        int before = slabs.size();
        slabs.removeIf(Slab::isFree);
        for (int i = slabs.size(); i < before; i++) {
            slabDropped();
        }
    }

    @Override
    long freeBytes() {
        long bytes = 0;
        for (int order = smallestOrder; order <= slabOrder; order++) {
            bytes += (long) freeBlocks(order) << order;
        }
        return bytes;
    }

    @Override
    int freeBlocks(int order) {
        int blocks = 0;
        for (Slab slab : slabs) {
            for (Node node = slab.heads[order]; node != null; node = node.next) {
                blocks++;
            }
        }
        return blocks;
    }
}
