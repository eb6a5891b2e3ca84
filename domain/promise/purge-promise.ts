/** Customers are promised that sensitive data is purged within this time of its submission. */
export const purgePromiseSeconds = 180;
