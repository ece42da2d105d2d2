int lo_placeholder(void);
