/** Replaces the library's storage (vite.config.ts), which throws on load in a frame without storage. */
export default class NoStorage {
  constructor() {
    throw new Error('WalletConnect was started without a storage.')
  }
}
