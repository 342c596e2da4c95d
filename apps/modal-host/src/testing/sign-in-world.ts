import { manualClock } from '@postern/base/testing/manual-clock'
import type {
  Account,
  CaipNetworkId,
  Connection,
  Namespace,
  Network,
  SignInMethod,
  SignInState,
} from '@postern/protocol'
import { expect, onTestFinished, vi } from 'vitest'
import type { Connector } from '../connectors/connector'
import { createSignInPrompts } from '../sign-in-with-wallet/prompts'
import type { SignInEvent } from '../snapshot/contract'
import { createModal } from '../snapshot/modal'
import { createSnapshotStore } from '../snapshot/store'

export const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const signature = `0x${'ab'.repeat(65)}`
const network: Network = {
  id: '1',
  name: 'N',
  chainNamespace: 'eip155',
  caipNetworkId: 'eip155:1',
  nativeCurrency: { name: 'N', symbol: 'N', decimals: 18 },
  rpcUrls: [],
  blockExplorers: [],
  testnet: true,
}
export const out: SignInState = { isSignedIn: false, expiresAt: null, isRequired: true, endsWithConnection: true }

type Page = {
  state: (chainId: CaipNetworkId, address: string) => Promise<SignInState>
  create: (chainId: CaipNetworkId, address: string) => Promise<unknown>
  add: () => Promise<null>
}

export function setUp({
  page = {},
  view = 'SIWXSignMessage' as const,
  type = 'ANNOUNCED' as Connector['type'],
  accountType = 'eoa' as Account['type'],
  rpc = async (): Promise<unknown> => signature,
}: {
  page?: Partial<Page>
  view?: 'SIWXSignMessage' | 'ConnectingSiwe'
  type?: Connector['type']
  accountType?: Account['type']
  rpc?: (request: { method: string; params?: unknown }, signal: AbortSignal) => Promise<unknown>
} = {}) {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 0, isTopLevel: false })
  const modal = createModal(store)
  const clock = manualClock()
  const connections: { [N in Namespace]?: Connection } = {}
  const asked: { method: SignInMethod; params: unknown }[] = []
  const answers: Page = {
    state: async () => out,
    create: async (chainId, accountAddress) => ({
      data: { accountAddress, chainId, domain: 'd.example', uri: 'https://d.example', version: '1', nonce: '12345678' },
      message: `Sign in ${accountAddress}`,
    }),
    add: async () => null,
    ...page,
  }
  const request = vi.fn(async (method: SignInMethod, params: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    asked.push({ method, params })
    const {
      chainId,
      address: who,
      accountAddress,
    } = params as { chainId: CaipNetworkId; address: string; accountAddress: string }
    const answer = async () => {
      if (method === 'siwxGetState') return answers.state(chainId, who)
      if (method === 'siwxCreateMessage') return answers.create(chainId, accountAddress)
      return method === 'siwxAddSession' ? answers.add() : null
    }
    const result = await answer()
    signal?.throwIfAborted()
    return result
  })
  const ask = vi.fn(rpc)
  const disconnect = vi.fn(async (namespace: Namespace) => set(namespace, { status: 'disconnected' }))
  const connector = { id: 'w', name: 'Wallet', type }
  const events: SignInEvent[] = []
  const prompts = createSignInPrompts({
    store,
    clock,
    modal,
    link: { ask: request as never },
    sessions: {
      connection: (namespace) => connections[namespace] ?? { status: 'disconnected' },
    },
    rpc: ask as never,
    view,
    origin: 'https://d.example',
    disconnect,
    onEvent: (event) => events.push(event),
    networks: {
      list: (['eip155:1', 'eip155:10', 'solana:dev'] as const).map((caipNetworkId) => ({
        ...network,
        caipNetworkId,
        chainNamespace: caipNetworkId === 'solana:dev' ? 'solana' : 'eip155',
      })),
    },
  })
  onTestFinished(prompts.end)

  function set(namespace: Namespace, connection: Connection): void {
    connections[namespace] = connection
    store.setState({ connections: { ...connections } })
    prompts.look(namespace, connection)
  }
  function connect(networkId: CaipNetworkId = 'eip155:1', who = address): void {
    const namespace = networkId.split(':')[0] as Namespace
    const account = { namespace, address: who, type: accountType }
    set(namespace, { status: 'connected', connector: { ...connector, type }, accounts: [account], networkId })
  }
  const prompt = () => store.getState().signInPrompt
  const asks = () => expect.poll(() => prompt()).toMatchObject({ step: 'asked' })
  return { events, store, modal, clock, prompts, request, ask, disconnect, asked, answers, set, connect, prompt, asks }
}

export async function signing(page: Partial<Page> = {}) {
  let [answer, refuse] = [(_: string) => {}, (_: Error) => {}]
  const rpc = () =>
    new Promise<string>((resolve, reject) => {
      answer = resolve
      refuse = reject
    })
  const world = setUp({ page, rpc })
  world.connect()
  await world.asks()
  world.prompts.sign()
  await expect.poll(() => world.prompt()?.step).toBe('signing')
  return { world, answer, refuse }
}

export type World = ReturnType<typeof setUp>

export const methods = ({ asked }: Pick<ReturnType<typeof setUp>, 'asked'>) => asked.map(({ method }) => method)

export const elsewhere: Connection = {
  status: 'connected',
  connector: { id: 'w', name: 'W', type: 'ANNOUNCED' },
  accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
  networkId: 'eip155:99',
  unsupported: true,
}
