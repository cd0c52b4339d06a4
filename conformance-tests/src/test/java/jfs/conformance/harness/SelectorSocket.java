package jfs.conformance.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** A channel in non-blocking mode as a socket: its streams wait by selectors. All else is done by the channel's adaptor. */
final class SelectorSocket extends Socket {

    private final SocketChannel channel;
    private final Socket adaptor;
    private final ChannelStreams streams;

    /** @param channel a connected channel. It is in non-blocking mode from now on */
    SelectorSocket(SocketChannel channel) throws IOException {
        super((SocketImpl) null);
        this.channel = channel;
        this.adaptor = channel.socket();
        this.streams = new ChannelStreams(channel);
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        adaptor.getInputStream(); // fails if the channel is closed or its input is shut
        return streams.in();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        adaptor.getOutputStream();
        return streams.out();
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        adaptor.setSoTimeout(timeout);
        streams.timeout(timeout);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return adaptor.getSoTimeout();
    }

    @Override
    public void close() throws IOException {
        streams.close();
    }

    @Override
    public void connect(SocketAddress endpoint) throws IOException {
        adaptor.connect(endpoint);
    }

    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
        adaptor.connect(endpoint, timeout);
    }

    @Override
    public void bind(SocketAddress bindpoint) throws IOException {
        adaptor.bind(bindpoint);
    }

    @Override
    public void shutdownInput() throws IOException {
        adaptor.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        adaptor.shutdownOutput();
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        streams.sendUrgentData(data);
    }

    @Override
    public InetAddress getInetAddress() {
        return adaptor.getInetAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return adaptor.getLocalAddress();
    }

    @Override
    public int getPort() {
        return adaptor.getPort();
    }

    @Override
    public int getLocalPort() {
        return adaptor.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return adaptor.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return adaptor.getLocalSocketAddress();
    }

    @Override
    public boolean isConnected() {
        return adaptor.isConnected();
    }

    @Override
    public boolean isBound() {
        return adaptor.isBound();
    }

    @Override
    public boolean isClosed() {
        return adaptor.isClosed();
    }

    @Override
    public boolean isInputShutdown() {
        return adaptor.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return adaptor.isOutputShutdown();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        adaptor.setTcpNoDelay(on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return adaptor.getTcpNoDelay();
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        adaptor.setSoLinger(on, linger);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return adaptor.getSoLinger();
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        adaptor.setOOBInline(on);
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return adaptor.getOOBInline();
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        adaptor.setSendBufferSize(size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return adaptor.getSendBufferSize();
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        adaptor.setReceiveBufferSize(size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return adaptor.getReceiveBufferSize();
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        adaptor.setKeepAlive(on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return adaptor.getKeepAlive();
    }

    @Override
    public void setTrafficClass(int tc) throws SocketException {
        adaptor.setTrafficClass(tc);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return adaptor.getTrafficClass();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        adaptor.setReuseAddress(on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return adaptor.getReuseAddress();
    }

    @Override
    public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
        adaptor.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return adaptor.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return adaptor.supportedOptions();
    }

    @Override
    public String toString() {
        return adaptor.toString();
    }
}
