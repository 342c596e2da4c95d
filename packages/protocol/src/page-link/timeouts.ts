/** In ms; 0: waits for the user. */
export const hostTimeouts = {
  init: 20_000,
  open: 10_000,
  pay: 0,
  close: 10_000,
  connect: 0,
  disconnect: 30_000,
  switchNetwork: 0,
  setTheme: 10_000,
  setOptions: 10_000,
  rpc: 0,
  peerChanged: 10_000,
  ping: 10_000,
  diagnose: 20_000,
  getIdentityToken: 0,
  getWallets: 20_000,
  getProfile: 20_000,
} as const
