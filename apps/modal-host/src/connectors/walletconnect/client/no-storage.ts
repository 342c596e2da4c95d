/**
 * Replaces the library's storage in the bundle (vite.config.ts), which throws on load in a frame without storage. The
 * host passes its own (client.ts).
 */
export default class NoStorage {
  constructor() {
    throw new Error('WalletConnect was started without a storage.')
  }
}
