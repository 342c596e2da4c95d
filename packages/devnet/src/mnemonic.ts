/** Public keys: never send anything of value to them. */
export const devnetMnemonic = 'test test test test test test test test test test test junk'
