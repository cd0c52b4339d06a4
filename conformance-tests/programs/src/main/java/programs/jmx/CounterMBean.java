package programs.jmx;

/** What a remote client can read and call. */
public interface CounterMBean {

    int getCount();

    String getName();

    void setName(String name);

    int add(int n);

    /** Throws IllegalStateException. */
    void fail();
}
