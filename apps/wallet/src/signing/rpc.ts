import type { CaipNetworkId, WaitingTransaction, WalletFramePayload } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { WalletNamespace } from '@postern/protocol/namespaces'
import type { ChainContext, PreparedRequest, RequestContext, SignJob, WalletChain } from '../contract'
import { walletNamespaceOf } from '../namespace-facts'
import type { Wallet } from '../wallet'
import type { Accounts, Reach } from './accounts'
import type { Approvals } from './approvals'
import type { Networks } from './networks'
import { type AdmittedRequest, admit, checkNetwork, checkRequest, namedAccountType, namesOwn } from './policy'
import { noSigning, signingGate } from './signing-gate'

export type Rpc = {
  request(request: WalletFramePayload<'RPC_REQUEST'>, context: RequestContext): Promise<unknown>
  /** Empty for a network that does not respond. */
  waiting(
    payload: WalletFramePayload<'GET_WAITING_TRANSACTIONS'>,
    context: RequestContext,
  ): Promise<readonly WaitingTransaction[]>
  replace(payload: WalletFramePayload<'REPLACE_TRANSACTION'>, context: RequestContext): Promise<unknown>
}

export type RpcOptions = Reach & {
  readonly wallet: Wallet
  readonly previous: Pick<Wallet, 'open' | 'find' | 'sign'>
  readonly networks: Networks
  readonly accounts: Accounts
  readonly approvals: Approvals
  readonly loadChain: (namespace: WalletNamespace) => Promise<WalletChain>
  readonly origin: () => string
  readonly smartSessions: () => boolean
  readonly onSettled: (id: string, isDone: boolean) => void
}

/**
 * The dapp's requests to the wallet.
 *
 * 1. The policy comes first: a rejected request reaches neither the wallet nor a chain.
 * 2. While signed out: UNAUTHORIZED. A locked wallet serves reads only.
 * 3. A safe request cannot sign.
 * 4. Any other request is prepared to the last byte, shown, and executed only after approval, exactly as shown.
 * 5. Requests that send run in turn per chain, each prepared on the state that the previous one left.
 * 6. The previous wallet signs only a request that sends and names its account, while the gateway has that wallet. If
 *    the gateway does not respond, the request fails.
 * 7. No method of a dapp replaces a transaction: the modal's own message names a waiting one, and the wallet's note has
 *    the rest. A replacement needs no turn: it uses no new nonce, and the notes check its coins.
 */
export function createRpc(options: RpcOptions): Rpc {
  const { wallet, networks, accounts, approvals, loadChain, origin, page, baseUrl, fetch, onSettled } = options
  const turns = new Map<CaipNetworkId, Promise<unknown>>()

  async function answerRequest(
    { method, params, networkId: requestedNetworkId }: WalletFramePayload<'RPC_REQUEST'>,
    { id, signal }: RequestContext,
  ): Promise<unknown> {
    const request = admit(method, params)
    const networkId =
      requestedNetworkId === undefined
        ? await networks.current(request.facts.namespace)
        : networks.resolve(requestedNetworkId)
    checkNetwork(request, networkId)
    const { signer, opened, own } = await signerOf(request, networkId, signal)
    checkRequest(request, own)
    const accountType = namedAccountType(request, own) ?? (await accounts.preferred(networkId))
    const { addresses } = opened
    const reach = { page, smartSessions: options.smartSessions(), baseUrl, fetch, signal }
    const context = { networkId, addresses, accountType, origin: origin(), ...reach }
    const chain = await loadChain(request.facts.namespace)
    if (request.facts.risk === 'safe') return chain.answer(method, params, { ...context, sign: noSigning })
    // With `opened.userId`, another user who signed in meanwhile signs nothing.
    const sign = (job: SignJob) => signer.sign(job, opened.userId)
    const prepare = (unsigned: ChainContext) => chain.prepare(method, params, unsigned)
    const carryOut = () => askAndExecute(chain, { id, method, prepare }, { ...context, sign })
    return request.facts.inTurn === true ? inTurn(networkId, signal, carryOut) : carryOut()
  }

  /** The note's account signs a replacement. */
  async function ownContext(networkId: CaipNetworkId, signal: AbortSignal) {
    const opened = await wallet.open()
    signal.throwIfAborted()
    if (opened.locked !== null) throw new Failure('WALLET_LOCKED')
    const reach = { page, smartSessions: false, baseUrl, fetch, signal }
    const of = { networkId, addresses: opened.addresses, accountType: 'eoa', origin: origin() } as const
    return { ...of, ...reach, sign: (job: SignJob) => wallet.sign(job, opened.userId) }
  }

  async function waitingOn(networkId: CaipNetworkId, signal: AbortSignal): Promise<readonly WaitingTransaction[]> {
    const chain = await loadChain(walletNamespaceOf(networkId))
    const context = await ownContext(networkId, signal)
    return (await chain.waiting?.({ ...context, sign: noSigning })) ?? []
  }

  async function replace(
    { networkId: requestedNetworkId, hash, kind }: WalletFramePayload<'REPLACE_TRANSACTION'>,
    { id, signal }: RequestContext,
  ): Promise<unknown> {
    const networkId = networks.resolve(requestedNetworkId)
    const context = await ownContext(networkId, signal)
    const chain = await loadChain(walletNamespaceOf(networkId))
    const { prepareReplacement } = chain
    if (prepareReplacement === undefined) throw new Failure('UNSUPPORTED_METHOD')
    const { method, subject } = await prepareReplacement({ hash, kind }, { ...context, sign: noSigning })
    return askAndExecute(chain, { id, method, prepare: async () => ({ subject }) }, context)
  }

  async function signerOf(request: AdmittedRequest, networkId: CaipNetworkId, signal: AbortSignal) {
    const opened = await wallet.open()
    signal.throwIfAborted()
    if (request.facts.risk === 'notSafe' && opened.locked !== null) throw new Failure('WALLET_LOCKED')
    const own = await accounts.own(networkId, opened.addresses, signal)
    const current = { signer: wallet, opened, own }
    if (request.facts.movesAssets !== true || namesOwn(request, own)) return current
    // Rule 6.
    const found = await options.previous.find()
    signal.throwIfAborted()
    if (found.addresses === null || found.locked !== null) return current
    const before = await accounts.own(networkId, found.addresses, signal)
    return namesOwn(request, before) ? { signer: options.previous, opened: found, own: before } : current
  }

  async function askAndExecute(
    chain: WalletChain,
    {
      id,
      method,
      prepare,
    }: {
      readonly id: string
      readonly method: string
      readonly prepare: (unsigned: ChainContext) => Promise<PreparedRequest>
    },
    context: ChainContext,
  ): Promise<unknown> {
    const { networkId, origin, signal } = context
    const subject = await approvals.ask(
      { id, method, networkId, origin, prepare: (signal) => prepare({ ...context, signal, sign: noSigning }) },
      signal,
    )
    try {
      signal.throwIfAborted()
      const json = chain.smartAccountJson?.(subject, networkId)
      const result = await chain.execute(method, subject, {
        ...context,
        sign: signingGate(subject, context.sign, json),
      })
      onSettled(id, true)
      return result
    } catch (thrown) {
      onSettled(id, false)
      throw thrown
    }
  }

  /** Rule 5: an abort ends the turn. */
  async function inTurn<T>(networkId: CaipNetworkId, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = turns.get(networkId) ?? Promise.resolve()
    const turn = before.then(() => {
      signal.throwIfAborted()
      return work()
    })
    const over = turn.then(
      () => undefined,
      () => undefined,
    )
    turns.set(networkId, over)
    try {
      return await turn
    } finally {
      if (turns.get(networkId) === over) turns.delete(networkId)
    }
  }

  return {
    request: answerRequest,
    async waiting({ networkIds }, { signal }) {
      const found = await Promise.allSettled(networkIds.map((id) => waitingOn(networks.resolve(id), signal)))
      signal.throwIfAborted()
      return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    },
    replace,
  }
}
