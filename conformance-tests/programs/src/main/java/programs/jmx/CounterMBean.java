package programs.jmx;

/** What can be seen and done from afar. */
public interface CounterMBean {

    int getCount();

    String getName();

    void setName(String name);

    int add(int n);

    /** Throws IllegalStateException. */
    void fail();
}
