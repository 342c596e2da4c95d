import type { ChainContext } from '../contract'

/** A request from `https://app.example`; every fetch fails unless the test passes its own. */
export function testContext(changes: Partial<ChainContext>): ChainContext {
  return {
    networkId: 'eip155:1',
    addresses: { eip155: `0x${'1'.repeat(40)}`, solana: '1'.repeat(32), bip122: `02${'1'.repeat(64)}` },
    accountType: 'eoa',
    origin: 'https://app.example',
    page: {
      projectId: 'demo',
      projectName: 'Demo',
      modalOrigin: 'https://modal.example',
      allowedOrigins: ['https://app.example'],
      defaultAncestors: false,
      approvals: { place: 'auto', trustedOrigins: [] },
      networks: [],
      smartAccounts: [],
      socials: [],
      farcaster: false,
      email: true,
      recovery: 'any',
      recoveryChoice: 'later',
    },
    smartSessions: false,
    baseUrl: 'https://wallet.example',
    fetch: async () => {
      throw new TypeError('no request is expected')
    },
    signal: new AbortController().signal,
    sign: async () => {
      throw new Error('nothing is signed')
    },
    ...changes,
  }
}
