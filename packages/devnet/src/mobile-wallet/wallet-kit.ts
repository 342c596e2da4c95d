/**
 * WalletConnect's side of a wallet, for tests of the modal.
 * Import it from here: the modal installs another version of these packages for its own side.
 */
export { WalletKit, type WalletKitTypes } from '@reown/walletkit'
export { Core } from '@walletconnect/core'
export { buildAuthObject, populateAuthPayload } from '@walletconnect/utils'
