import type { NetworkInput, Postern, PosternOptions } from '@postern/client'
import type { CreateConnectorFn } from '@wagmi/core'

/** `networks` adds to the chains of wagmi's config, such as `solana`. */
export type PosternConnectorOptions = Omit<PosternOptions, 'networks'> & {
  readonly networks?: readonly NetworkInput[]
}

type Address = `0x${string}`
type Connected<WithCapabilities extends boolean> = {
  accounts: WithCapabilities extends true
    ? readonly { address: Address; capabilities: Record<string, unknown> }[]
    : readonly Address[]
  chainId: number
}

export type PosternConnector = CreateConnectorFn<Postern['eip155'], { getPostern(): Promise<Postern> }>

/**
 * Postern as a connector of wagmi 2 and 3.
 *
 * 1. Postern's code loads by `import()`, on the page only. There is one instance, with the chains of wagmi's config.
 * 2. wagmi lists one row: the instance announces itself only if `announce` is set.
 * 3. A returning user goes from *reconnecting* to *connected*: `isAuthorized` waits until the earlier connection is
 *    confirmed or gone.
 * 4. Connecting and disconnecting outside wagmi (an element, another tab) reaches wagmi.
 * 5. The connector has the connected wallet's name and picture.
 *
 * @example
 * createConfig({ chains: [mainnet, base], transports, connectors: [postern({ projectId: 'demo', host })] })
 */
export function postern(options: PosternConnectorOptions): PosternConnector {
  return ({ chains, emitter }) => {
    let loading: Promise<Postern> | undefined
    /** wagmi's own `connect` reports its outcome itself. */
    let isConnecting = false
    let isConnected = false

    async function load(): Promise<Postern> {
      const { createPostern } = await import('@postern/client')
      const networks = [...chains, ...(options.networks ?? [])]
      const instance = createPostern({ announce: false, ...options, networks })
      const { eip155 } = instance
      eip155.on('connect', ({ chainId }) => {
        if (isConnecting || isConnected) return
        isConnected = true
        eip155
          .request({ method: 'eth_accounts' })
          .then((accounts) => emitter.emit('connect', { accounts, chainId: Number(chainId) }), ignore)
      })
      eip155.on('accountsChanged', (accounts) => {
        if (isConnected && accounts.length > 0) emitter.emit('change', { accounts })
      })
      eip155.on('chainChanged', (chainId) => {
        if (isConnected) emitter.emit('change', { chainId: Number(chainId) })
      })
      eip155.on('disconnect', () => {
        if (isConnected) emitter.emit('disconnect')
        isConnected = false
      })
      return instance
    }

    function getPostern(): Promise<Postern> {
      if (typeof window === 'undefined') return Promise.reject(new Error('Postern connects on the page only'))
      loading ??= load().catch((error: unknown) => {
        loading = undefined
        throw error
      })
      return loading
    }

    async function getAccounts(): Promise<readonly Address[]> {
      return (await getPostern()).eip155.request({ method: 'eth_accounts' })
    }

    async function getChainId(): Promise<number> {
      return Number(await (await getPostern()).eip155.request({ method: 'eth_chainId' }))
    }

    async function switchChain({ chainId }: { chainId: number }) {
      const chain = chains.find(({ id }) => id === chainId)
      if (chain === undefined) throw new Error(`Chain ${chainId} is not in wagmi's config`)
      const { eip155 } = await getPostern()
      const params = [{ chainId: `0x${chainId.toString(16)}` }] as const
      await eip155.request({ method: 'wallet_switchEthereumChain', params })
      return chain
    }

    type ConnectParameters = { chainId?: number | undefined; isReconnecting?: boolean | undefined }
    async function connectWith({ chainId, isReconnecting }: ConnectParameters) {
      const { eip155 } = await getPostern()
      isConnecting = true
      try {
        const method = isReconnecting === true ? 'eth_accounts' : 'eth_requestAccounts'
        const accounts = await eip155.request({ method })
        if (accounts.length === 0) throw new Error('The earlier connection is gone')
        let current = await getChainId()
        if (chainId !== undefined && chainId !== current && isReconnecting !== true)
          current = await switchChain({ chainId }).then(
            ({ id }) => id,
            () => current,
          )
        isConnected = true
        return { accounts, chainId: current }
      } finally {
        isConnecting = false
      }
    }

    type WithCapabilities = { withCapabilities?: boolean | undefined }
    function connect<W extends boolean = false>(
      parameters?: ConnectParameters & WithCapabilities,
    ): Promise<Connected<W>>
    async function connect(
      this: object,
      parameters: ConnectParameters & WithCapabilities = {},
    ): Promise<Connected<true> | Connected<false>> {
      const { accounts, chainId } = await connectWith(parameters)
      const connection = (await getPostern()).getSnapshot().connections.eip155
      const { name, imageUrl } = connection?.status === 'connected' ? connection.connector : own
      // wagmi copied the connector: a getter would be read once.
      Object.assign(this, { name, icon: imageUrl })
      if (parameters.withCapabilities !== true) return { accounts, chainId }
      return { accounts: accounts.map((address) => ({ address, capabilities: {} })), chainId }
    }

    return {
      id: 'postern',
      type: 'postern',
      name: own.name,
      async setup() {
        // Learns of connections made outside wagmi.
        if (typeof window !== 'undefined') await getPostern().catch(ignore)
      },
      connect,
      async disconnect(this: object) {
        isConnected = false
        await (await getPostern()).disconnect('eip155')
        Object.assign(this, { name: own.name, icon: undefined })
      },
      getAccounts,
      getChainId,
      getProvider: async () => (await getPostern()).eip155,
      getPostern,
      async isAuthorized() {
        try {
          return (await getAccounts()).length > 0
        } catch {
          return false
        }
      },
      switchChain,
      // `load` notifies wagmi.
      onAccountsChanged: ignore,
      onChainChanged: ignore,
      onDisconnect: ignore,
    }
  }
}

const own: { readonly name: string; readonly imageUrl?: string | undefined } = { name: 'Postern' }

function ignore(): void {}
