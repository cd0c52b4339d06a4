package jfs;

import jfs.spi.Obstacle;
import jfs.spi.Transport;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;

/**
 * The provider of one transport between hosts that a test has made. It has the name of MX, so that rules can choose it.
 *
 * @param noRdma the network below the transport if that network is not a fast one, else null
 */
public record GivenTransport(Transport transport, String noRdma) implements TransportProvider {

    @Override
    public String name() {
        return "mx";
    }

    @Override
    public boolean betweenHosts() {
        return true;
    }

    @Override
    public Obstacle obstacle() {
        return noRdma == null ? null : new Obstacle("NO_RDMA", noRdma, true);
    }

    @Override
    public Transport open(TransportSettings settings) {
        return transport;
    }
}
