int lr_placeholder(void);
