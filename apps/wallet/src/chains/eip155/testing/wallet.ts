import type { WalletFramePage } from '@postern/protocol'
import { keccak256, toHex } from 'viem'
import type { ChainContext, SignJob } from '../../../contract'
import { addressesOf, keysOf } from '../../../keys/derive'
import { prepareJob } from '../../../keys/sign'

export const baseUrl = 'https://wallet.example'
export const origin = 'https://app.example'

export type TestPorts = { readonly evm: number; readonly bundler: number }

export type TestWallet = {
  readonly context: ChainContext
  readonly signed: SignJob[]
}

export async function testWallet(
  seed: string,
  fetch: typeof globalThis.fetch,
  { page, ...more }: Partial<Omit<ChainContext, 'page'>> & { readonly page?: Partial<WalletFramePage> } = {},
): Promise<TestWallet> {
  const entropy = new Uint8Array(16).map((_, at) =>
    Number.parseInt(keccak256(toHex(seed)).slice(2 + at * 2, 4 + at * 2), 16),
  )
  const keys = await keysOf(entropy)
  const signed: SignJob[] = []
  const context: ChainContext = {
    networkId: 'eip155:31337',
    addresses: addressesOf(keys),
    accountType: 'eoa',
    origin,
    smartSessions: false,
    baseUrl,
    fetch,
    signal: new AbortController().signal,
    async sign(job) {
      signed.push(job)
      return (await prepareJob(job))(keys)
    },
    ...more,
    page: testPage(page),
  }
  return { context, signed }
}

export function testPage(more: Partial<WalletFramePage> = {}): WalletFramePage {
  return {
    projectId: 'demo',
    projectName: 'Demo',
    modalOrigin: 'https://modal.example',
    allowedOrigins: [],
    defaultAncestors: true,
    approvals: { place: 'auto', trustedOrigins: [] },
    networks: [
      {
        id: 'eip155:31337',
        name: 'Devnet',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        testnet: true,
      },
    ],
    smartAccounts: [{ chainId: 31_337, paymaster: false }],
    socials: [],
    farcaster: false,
    email: true,
    recovery: 'any',
    recoveryChoice: 'later',
    ...more,
  }
}

export function devnetGateway({ evm, bundler }: TestPorts): typeof globalThis.fetch {
  const targets: Readonly<Record<string, string>> = {
    '/v1/': `http://127.0.0.1:${evm}/`,
    '/v1/bundler': `http://127.0.0.1:${bundler}/31337`,
    '/v1/paymaster': `http://127.0.0.1:${bundler}/paymaster/31337`,
  }
  return async (input, init) => {
    const url = new URL(String(input))
    const target = targets[url.pathname]
    if (url.origin !== baseUrl || target === undefined || url.searchParams.get('chainId') !== 'eip155:31337')
      throw new TypeError(`Nothing is at ${url}.`)
    return fetch(target, init)
  }
}
