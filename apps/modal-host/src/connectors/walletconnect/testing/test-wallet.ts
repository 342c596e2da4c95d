import { buildAuthObject, Core, populateAuthPayload, WalletKit, type WalletKitTypes } from '@postern/devnet/wallet-kit'
import type { PrivateKeyAccount } from 'viem'

type Namespaces = Record<string, { chains?: string[]; accounts: string[]; methods: string[]; events: string[] }>
export type WalletKitClient = Awaited<ReturnType<typeof WalletKit.init>>

export type WalletRequestEvent = { readonly chainId: string; readonly method: string; readonly params: unknown }

export type TestWallet = {
  readonly kit: WalletKitClient
  readonly proposals: WalletKitTypes.SessionProposal[]
  readonly requests: WalletRequestEvent[]
  pair(uri: string): Promise<void>
  proposal(): Promise<WalletKitTypes.SessionProposal>
  approve(namespaces: Namespaces, sessionProperties?: Record<string, string>): Promise<string>
  reject(): Promise<void>
  learnToSignIn(): void
  /** Signs one message per chain; `as` overrides how the address is written. */
  signIn(account: PrivateKeyAccount, chains: readonly string[], as?: string): Promise<void>
  refuseToSignIn(): Promise<void>
  /** A thrown `{code, message}` is the wallet's error. With null, requests wait. */
  answer(respond: ((request: WalletRequestEvent) => unknown) | null): void
  end(): Promise<void>
}

let count = 0

/** A wallet on the relay, with the wallets' own library. */
export async function createTestWallet(relayUrl: string): Promise<TestWallet> {
  count += 1
  const values = new Map<string, unknown>()
  const prefix = `test-wallet-${count}`
  const core = new Core({
    projectId: 'test',
    relayUrl,
    logger: 'silent',
    telemetryEnabled: false,
    customStoragePrefix: prefix,
    storage: {
      getKeys: async () => [...values.keys()],
      getEntries: async () => [],
      getItem: async (key) => JSON.parse(JSON.stringify(values.get(key) ?? null)) ?? undefined,
      setItem: async (key, value) => void values.set(key, value),
      removeItem: async (key) => void values.delete(key),
    },
  })
  const kit = await WalletKit.init({
    // The library's types disagree on what may be undefined.
    core: Object.assign(core, { relayUrl, projectId: 'test' }),
    metadata: { name: 'Test Wallet', description: '', url: 'https://wallet.example', icons: [] },
  })
  core.verify.resolve = () => Promise.reject(new Error('no attestations here'))

  const proposals: WalletKitTypes.SessionProposal[] = []
  const requests: WalletRequestEvent[] = []
  const unanswered: WalletKitTypes.SessionProposal[] = []
  const waiting: ((proposal: WalletKitTypes.SessionProposal) => void)[] = []
  let respond: ((request: WalletRequestEvent) => unknown) | null = null
  const held: WalletKitTypes.SessionRequest[] = []

  kit.on('session_proposal', (proposal) => {
    proposals.push(proposal)
    unanswered.push(proposal)
    for (const tell of waiting.splice(0)) tell(proposal)
  })

  async function handle({ id, topic, params }: WalletKitTypes.SessionRequest): Promise<void> {
    if (respond === null) return
    const request = { chainId: params.chainId, method: params.request.method, params: params.request.params }
    try {
      const result = await respond(request)
      await kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', result } })
    } catch (error) {
      const { code, message } = { code: -32000, message: 'failed', ...(typeof error === 'object' ? error : {}) }
      await kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', error: { code, message } } })
    }
  }

  kit.on('session_request', (event) => {
    const { request, chainId } = event.params
    requests.push({ chainId, method: request.method, params: request.params })
    if (respond === null) held.push(event)
    else void handle(event)
  })

  const signIns: WalletKitTypes.SessionAuthenticate[] = []
  const awaited: ((request: WalletKitTypes.SessionAuthenticate) => void)[] = []
  async function signInRequest(): Promise<WalletKitTypes.SessionAuthenticate> {
    return signIns.shift() ?? new Promise((resolve) => awaited.push(resolve))
  }

  async function proposal(): Promise<WalletKitTypes.SessionProposal> {
    return unanswered[0] ?? new Promise((resolve) => waiting.push(resolve))
  }

  return {
    kit,
    proposals,
    requests,
    pair: (uri) => kit.pair({ uri }),
    proposal,
    async approve(namespaces, sessionProperties) {
      const { id } = await proposal()
      unanswered.shift()
      const session = await kit.approveSession({ id, namespaces, ...(sessionProperties && { sessionProperties }) })
      return session.topic
    },
    async reject() {
      const { id } = await proposal()
      unanswered.shift()
      await kit.rejectSession({ id, reason: { code: 5000, message: 'User rejected.' } })
    },
    learnToSignIn() {
      kit.on('session_authenticate', (request) => {
        const tell = awaited.shift()
        if (tell === undefined) signIns.push(request)
        else tell(request)
      })
    },
    async signIn(account, chains, as = account.address) {
      const { id, params } = await signInRequest()
      const methods = ['personal_sign', 'eth_sendTransaction']
      const payload = populateAuthPayload({ authPayload: params.authPayload, chains: [...chains], methods })
      const signed = chains.map(async (chain) => {
        const iss = `${chain}:${as}`
        const message = kit.formatAuthMessage({ request: payload, iss })
        return buildAuthObject(payload, { t: 'eip191', s: await account.signMessage({ message }) }, iss)
      })
      await kit.approveSessionAuthenticate({ id, auths: await Promise.all(signed) })
    },
    async refuseToSignIn() {
      const { id } = await signInRequest()
      await kit.rejectSessionAuthenticate({ id, reason: { code: 5000, message: 'User rejected.' } })
    },
    answer(next) {
      respond = next
      for (const event of held.splice(0)) void handle(event)
    },
    async end() {
      core.heartbeat.stop()
      await core.relayer.transportClose().catch(() => {})
    },
  }
}
