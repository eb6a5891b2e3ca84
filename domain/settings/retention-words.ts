/** How long contact data is kept, as customers read it: '12 months', '180 days'. */
export const retentionWords = (days: number): string =>
  days % 365 === 0 ? `${(days / 365) * 12} months` : `${days} days`;
