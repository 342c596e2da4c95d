import { bytesToString, type Hex, hexToBigInt, hexToBytes, hexToNumber, isAddressEqual, isHex, numberToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { devnetMnemonic } from '../mnemonic'
import type { WalletControls, WalletSnapshot } from './controls'
import { type NodeConnection, prepareTransaction } from './node'
import type { WalletNetwork, WalletOptions } from './options'
import type { Question } from './prompt'
import {
  AccountPermission,
  AddChain,
  nodeMethods,
  PersonalSign,
  readParams,
  readTypedData,
  SendTransaction,
  SignTypedData,
  SwitchChain,
} from './requests'
import {
  gone,
  invalidParams,
  invalidRequest,
  ProviderRpcError,
  pending,
  rejected,
  toProviderRpcError,
  unauthorized,
  unknownChain,
  unsupported,
} from './rpc-error'
import { initialState, parseState, type WalletState } from './state'

type Listener = (data: unknown) => void
export type WalletProvider = {
  readonly isDevnetWallet: true
  request(args: unknown): Promise<unknown>
  on(event: string, listener: Listener): void
  removeListener(event: string, listener: Listener): void
}

export type EvmWalletControls = WalletControls & {
  snapshot(): WalletSnapshot & WalletState & { readonly address: Hex }
}

export type PageWallet = {
  readonly provider: WalletProvider
  readonly controls: EvmWalletControls
  /** State from another tab. */
  adopt(stored: string | null): void
}

export type PageWalletDependencies = {
  readonly options: WalletOptions
  /** Survives reloads. May throw. */
  readonly storage: { read(): string | null; write(value: string): void }
  /** True on approval. Rejects if the signal aborts. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<boolean>
  readonly connectNode: (network: WalletNetwork) => NodeConnection
  readonly origin: string
}

/**
 * A wallet with a real key of the devnet's mnemonic.
 *
 * 1. A dapp sees no account until the user approves, or while the wallet is locked. The wallet signs only for the
 *    visible account (4100).
 * 2. Everything that signs, sends, switches or adds asks first; a rejection is 4001. One connection question at a time
 *    (-32002).
 * 3. Events report exactly the changes that a dapp can see: `accountsChanged`, `chainChanged`, `disconnect`.
 * 4. An unknown chain is 4902, an unknown method 4200, a malformed request -32600, invalid parameters -32602.
 * 5. After the wallet has vanished, pending and later requests fail with 4900.
 * 6. Permission, account, chain and added networks survive a reload.
 */
export function createPageWallet({ options, storage, ask, connectNode, origin }: PageWalletDependencies): PageWallet {
  const vanishing = new AbortController()
  const listeners = new Map<string, Set<Listener>>()
  const subscribers = new Set<() => void>()
  const accounts = new Map<number, ReturnType<typeof mnemonicToAccount>>()
  let state = restore() ?? initialState(options)
  let connecting = false

  function restore(): WalletState | null {
    try {
      return parseState(storage.read())
    } catch {
      return null
    }
  }

  /** On first use: deriving takes 30 ms. */
  function account(index = state.account) {
    const known = accounts.get(index)
    if (known !== undefined) return known
    const derived = mnemonicToAccount(devnetMnemonic, { addressIndex: index })
    accounts.set(index, derived)
    return derived
  }

  const visibleAccounts = (of: WalletState): readonly Hex[] =>
    of.permitted && !of.locked ? [account(of.account).address] : []

  function update(change: Partial<WalletState>) {
    if (vanishing.signal.aborted) return
    become({ ...state, ...change })
    try {
      storage.write(JSON.stringify(state))
    } catch {
      // The wallet then lasts until the next reload.
    }
  }

  function become(next: WalletState) {
    const before = state
    state = next
    const shown = visibleAccounts(next)
    if (visibleAccounts(before).join() !== shown.join()) emit('accountsChanged', [...shown])
    if (before.chainId !== next.chainId) emit('chainChanged', numberToHex(next.chainId))
    for (const listener of [...subscribers]) listener()
  }

  function emit(event: string, data: unknown) {
    for (const listener of [...(listeners.get(event) ?? [])]) {
      try {
        listener(data)
      } catch (cause) {
        // A throwing listener must not affect the others.
        queueMicrotask(() => {
          throw cause
        })
      }
    }
  }

  function network(chainId = state.chainId): WalletNetwork {
    const known = state.networks.find((candidate) => candidate.chainId === chainId)
    if (known === undefined) throw unknownChain(chainId)
    return known
  }

  async function agree(title: string, rows: Question['rows'], more: Pick<Question, 'approve' | 'raw'> = {}) {
    if (state.autoApprove) return
    const yes = await ask({ wallet: options.name, origin, title, rows, ...more }, vanishing.signal)
    if (!yes) throw rejected()
  }

  /** One question at a time. */
  async function connect(method: string, again: boolean): Promise<void> {
    if (connecting) throw pending(method)
    connecting = true
    try {
      if (state.locked) {
        await agree('Unlock the wallet', [], { approve: 'Unlock' })
        update({ locked: false })
      }
      if (state.permitted && !again) return
      await agree('Connect to this site', [
        { label: 'Account', value: account().address },
        { label: 'Network', value: network().name },
      ])
      update({ permitted: true })
    } finally {
      connecting = false
    }
  }

  /** If it is the requested one and visible. */
  function signer(address: Hex) {
    const [visible] = visibleAccounts(state)
    if (visible === undefined || !isAddressEqual(visible, address))
      throw unauthorized('The requested account has not been authorized by the user.')
    return account()
  }

  async function sign(params: unknown): Promise<Hex> {
    const [message, address] = readParams(PersonalSign, 'personal_sign', params)
    const from = signer(address)
    // Wallets treat hexadecimal as bytes, anything else as text.
    const bytes = isHex(message, { strict: true }) && message.length % 2 === 0 ? hexToBytes(message) : undefined
    const shown = bytes === undefined ? message : bytesToString(bytes)
    await agree('Sign a message', [{ label: 'Account', value: from.address }], { raw: shown })
    return await from.signMessage({ message: bytes === undefined ? message : { raw: bytes } })
  }

  async function signTypedData(params: unknown): Promise<Hex> {
    const [address, given] = readParams(SignTypedData, 'eth_signTypedData_v4', params)
    const typedData = readTypedData(given)
    const from = signer(address)
    const { chainId } = typedData.domain
    if (chainId !== undefined && chainId !== state.chainId)
      throw invalidParams(`The typed data is for chain ${chainId}, but the wallet is on chain ${state.chainId}.`)
    await agree(
      'Sign typed data',
      [
        { label: 'Account', value: from.address },
        { label: 'Type', value: typedData.primaryType },
      ],
      { raw: JSON.stringify({ domain: typedData.domain, message: typedData.message }, null, 2) },
    )
    const types: Record<string, unknown> = typedData.types
    return await from.signTypedData({ ...typedData, types })
  }

  async function sendTransaction(params: unknown): Promise<Hex> {
    const [transaction] = readParams(SendTransaction, 'eth_sendTransaction', params)
    const from = signer(transaction.from)
    const on = network()
    if (transaction.chainId !== undefined && hexToNumber(transaction.chainId) !== on.chainId)
      throw invalidParams(
        `The transaction is for chain ${transaction.chainId}, but the wallet is on chain ${on.chainId}.`,
      )
    const prepared = await prepareTransaction(connectNode(on), from, on.chainId, transaction)
    await agree('Send a transaction', prepared.rows, prepared.data === undefined ? {} : { raw: prepared.data })
    return await prepared.send()
  }

  async function switchTo(params: unknown): Promise<null> {
    const [{ chainId: hex }] = readParams(SwitchChain, 'wallet_switchEthereumChain', params)
    const chainId = Number(hexToBigInt(hex))
    const { name } = network(chainId)
    if (chainId === state.chainId) return null
    await agree('Switch network', [
      { label: 'From', value: network().name },
      { label: 'To', value: name },
    ])
    update({ chainId })
    return null
  }

  async function addChain(params: unknown): Promise<null> {
    const [chain] = readParams(AddChain, 'wallet_addEthereumChain', params)
    const chainId = Number(hexToBigInt(chain.chainId))
    if (state.networks.some((known) => known.chainId === chainId)) return await switchTo([{ chainId: chain.chainId }])
    const [rpcUrl = ''] = chain.rpcUrls
    const added = { chainId, name: chain.chainName, rpcUrl }
    const answered = await connectNode(added).request('eth_chainId', [])
    if (Number(answered) !== chainId)
      throw invalidParams(`The endpoint ${rpcUrl} serves another chain than ${chain.chainId}.`)
    await agree('Add a network and switch to it', [
      { label: 'Network', value: added.name },
      { label: 'Chain ID', value: `${chainId}` },
      { label: 'Endpoint', value: rpcUrl },
    ])
    update({ networks: [...state.networks, added], chainId })
    return null
  }

  const permissions = () =>
    visibleAccounts(state).length === 0
      ? []
      : [
          {
            parentCapability: 'eth_accounts',
            invoker: origin,
            caveats: [{ type: 'restrictReturnedAccounts', value: [...visibleAccounts(state)] }],
          },
        ]

  const methods: { readonly [method: string]: (params: unknown) => unknown } = {
    eth_accounts: () => [...visibleAccounts(state)],
    eth_chainId: () => numberToHex(state.chainId),
    net_version: () => `${state.chainId}`,
    eth_requestAccounts: async () => {
      await connect('eth_requestAccounts', false)
      return [...visibleAccounts(state)]
    },
    wallet_requestPermissions: async (params) => {
      readParams(AccountPermission, 'wallet_requestPermissions', params)
      await connect('wallet_requestPermissions', true)
      return permissions()
    },
    wallet_getPermissions: permissions,
    wallet_revokePermissions: (params) => {
      readParams(AccountPermission, 'wallet_revokePermissions', params)
      update({ permitted: false })
      return null
    },
    personal_sign: sign,
    eth_signTypedData_v4: signTypedData,
    eth_sendTransaction: sendTransaction,
    wallet_switchEthereumChain: switchTo,
    wallet_addEthereumChain: addChain,
  }

  async function answer(args: unknown): Promise<unknown> {
    if (vanishing.signal.aborted) throw gone()
    if (typeof args !== 'object' || args === null || !('method' in args) || typeof args.method !== 'string')
      throw invalidRequest('Expected an object with a method.')
    const { method } = args
    const params = 'params' in args ? args.params : undefined
    if (params !== undefined && (typeof params !== 'object' || params === null))
      throw invalidRequest('Expected params to be an array or an object.')
    const own = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (own !== undefined) return await own(params)
    if (nodeMethods.has(method)) return await connectNode(network()).request(method, params ?? [])
    throw unsupported(method)
  }

  const provider: WalletProvider = {
    isDevnetWallet: true,
    async request(args) {
      try {
        return await answer(args)
      } catch (cause) {
        throw vanishing.signal.aborted ? gone() : toProviderRpcError(cause)
      }
    },
    on(event, listener) {
      const heard = listeners.get(event) ?? new Set()
      listeners.set(event, heard.add(listener))
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
    },
  }

  const controls: EvmWalletControls = {
    kind: 'evm',
    name: options.name,
    snapshot() {
      const { address } = account()
      const chains = state.networks.map(({ chainId, name }) => ({ id: chainId, name }))
      const vanished = vanishing.signal.aborted
      return { ...state, address, addresses: [address], chain: state.chainId, chains, vanished }
    },
    subscribe(listener) {
      subscribers.add(listener)
      return () => subscribers.delete(listener)
    },
    lock: () => update({ locked: true }),
    unlock: () => update({ locked: false }),
    switchAccount(index) {
      if (!Number.isInteger(index) || index < 0 || index > 9) throw new RangeError('The accounts are 0 to 9.')
      update({ account: index })
    },
    switchChain: (chain) => update({ chainId: network(Number(chain)).chainId }),
    setAutoApprove: (autoApprove) => update({ autoApprove }),
    vanish() {
      if (vanishing.signal.aborted) return
      vanishing.abort(gone())
      emit('disconnect', new ProviderRpcError(4900, 'The wallet is no longer there.'))
      for (const listener of [...subscribers]) listener()
    },
  }

  return {
    provider,
    controls,
    adopt(stored) {
      const other = parseState(stored)
      if (other !== null && !vanishing.signal.aborted) become(other)
    },
  }
}
