/**
 * What the bundle has in the place of the library's own storage (vite.config.ts): that one reads `localStorage` while it loads, which throws in a
 * frame that is denied storage. The host hands its own in (client.ts), so this is never made.
 */
export default class NoStorage {
  constructor() {
    throw new Error('WalletConnect was started without a storage.')
  }
}
