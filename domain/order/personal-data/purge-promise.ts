/** Customers are promised that sensitive data is destroyed within so many seconds of its submission. */
export const purgePromiseSeconds = 180;
