import type { ConfiguredNetworks } from '@postern/chains/networks'
import { signInDomain } from '@postern/chains/sign-in-message'
import {
  type Connection,
  type ErrorCode,
  errors,
  type Namespace,
  type Network,
  namespaces,
  type SignInParams,
} from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Sessions } from '../connections/sessions'
import type { HostLink } from '../page-link/host-link'
import type { createRpc } from '../requests/rpc'
import type { HostSnapshot, SignInEvent, SignInPrompt } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import { activeNamespaceOf } from '../snapshot/opening'
import { isPromptView } from '../snapshot/prompt-view'
import type { SnapshotStore } from '../snapshot/store'
import { whenOpen } from '../snapshot/when-open'
import { type Account, accountOf, addressOf, failureOf, isSameAccount, names, requestOf, signatureIn } from './account'
import { askPage } from './ask-page'

export type SignInPrompts = {
  /** A connection is another one now. */
  look(namespace: Namespace, connection: Connection): void
  /** The page says that its sessions are others now. */
  lookAgain(): void
  /** The visitor's word. */
  sign(): void
  cancel(): Promise<void>
  end(): void
}

export type SignInPromptOptions = {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly link: Pick<HostLink, 'ask'>
  readonly modal: Modal
  readonly sessions: Pick<Sessions, 'connection' | 'connector'>
  readonly rpc: ReturnType<typeof createRpc>
  /** ConnectingSiwe: by the older configuration, which knows EVM alone. */
  readonly view: SignInPrompt['view']
  /** Of the dapp's page, as the browser says. */
  readonly origin: string
  readonly disconnect: (namespace: Namespace) => Promise<void>
  readonly networks: Pick<ConfiguredNetworks, 'list'>
  readonly onEvent: (event: SignInEvent) => void
}

type Slot = {
  /** Who is connected, also on a network that nobody configured. */
  address: string | null
  /** What the page was last asked about, and what it said. */
  account: Account | null
  state: 'checking' | 'signedIn' | 'due' | 'skipped'
  /** Ends the running check or attempt, and the timer of the session's end. */
  stop: () => void
}

/** The longest a timer can wait, in ms; and the least time between two looks at one session, whatever the page says of its end. */
const longestWait = 2 ** 31 - 1
const shortestWait = 1_000
/** After a look that failed, in ms. */
const nextLook = 30_000

/**
 * Sign-in with the connected wallet (spec §4).
 *
 * 1. Whoever is connected on a configured network is asked to sign in, unless the page has a session of that account on that chain.
 *    Another account or network is asked about anew. Several namespaces are asked one after the other, the active one first.
 * 2. Success: the page has the session, the modal closes, or goes back to what the question came over where something was being filled in or paid.
 *    Only what the page took counts.
 * 3. Failure: the view opens again (unless it or an approval is on show), with what went wrong; the visitor can try again.
 * 4. Cancel: where signing in is required the wallet is disconnected, else the modal closes and this account is not asked again. Then Connect, unless
 *    somebody is connected again by then. Before it is known whether it is required, and once the wallet is being left, it is a close and no more.
 * 5. A page that cannot say whether there is a session (it throws, hangs, answers nonsense): disconnected, 'A problem occurred while trying
 *    initialize authentication' as soon as the modal is open, Connect. One that said it before, and cannot say it now, is believed and asked again
 *    after a while.
 * 6. Closing is refused while signing in is required (`view.ts`).
 * 7. A session that ends, or that the page ended, while the page is open: whoever must be signed in is asked again; others are left alone.
 * 8. The end of a connection ends the sessions of its account, on every chain of the dapp's, where the page wants that (`signOutOnDisconnect`), signed
 *    in at that moment or not. Those of other accounts and namespaces stay. Who connects again is looked at once they have ended.
 * 9. The embedded wallet shows what it signs itself: its approval is the one step. Only after a failure the view comes first.
 * 10. What the page wants signed is of the account and chain that it was asked for, names the account, and is for no other site; else it is an
 *     error. A connection that changes meanwhile ends the attempt.
 * 11. What the visitor clicked and what came of an attempt is told, once; what ended a question otherwise is nobody's word.
 */
export function createSignInPrompts(options: SignInPromptOptions): SignInPrompts {
  const { store, clock, link, modal, sessions } = options
  const slots = new Map<Namespace, Slot>()
  const signOuts = new Map<Namespace, Promise<unknown>>()
  let covered: HostSnapshot['opening'] | null = null
  let ended = false

  const slotOf = (namespace: Namespace): Slot => {
    const slot = slots.get(namespace) ?? { address: null, account: null, state: 'checking' as const, stop: () => {} }
    slots.set(namespace, slot)
    return slot
  }
  const request = askPage(link)
  const prompt = () => store.getState().signInPrompt
  const promptOf = (namespace: Namespace) => (prompt()?.namespace === namespace ? prompt() : null)

  function change(changes: Partial<Pick<SignInPrompt, 'step' | 'error' | 'isRequired'>>): void {
    const { signInPrompt } = store.getState()
    if (signInPrompt !== null) store.setState({ signInPrompt: { ...signInPrompt, ...changes } })
  }

  /* ---- whether somebody must be asked */

  function look(namespace: Namespace, connection: Connection): void {
    if (options.view === 'ConnectingSiwe' && namespace !== 'eip155') return
    const slot = slotOf(namespace)
    if (connection.status === 'disconnected') forget(namespace)
    if (connection.status !== 'connected') return
    const account = accountOf(namespace, connection)
    if (account !== null && isSameAccount(account, slot.account)) return
    // What was said of another account is no word on this one.
    slot.stop()
    slots.delete(namespace)
    drop(namespace)
    Object.assign(slotOf(namespace), { account, address: addressOf(connection) })
    if (account !== null) void check(account)
    else askNext()
  }

  /** The answer of an earlier check, and an attempt for another account, change nothing any more. */
  function begin(slot: Slot): AbortSignal {
    slot.stop()
    const controller = new AbortController()
    slot.stop = () => controller.abort(new Failure('ABORTED'))
    return controller.signal
  }

  async function check(account: Account): Promise<void> {
    const { namespace } = account
    const slot = slotOf(namespace)
    const signal = begin(slot)
    const before = slot.state
    slot.state = 'checking'
    if (prompt() === null) show(account, 'checking', false)
    try {
      // 8.
      const signOut = signOuts.get(namespace)
      if (signOut !== undefined) await signOut
      signal.throwIfAborted()
      const state = await request('siwxGetState', asked(account), { signal })
      if (signal.aborted) return
      if (state.isSignedIn) return settle(account, state.expiresAt)
      // 7.
      const isEnded = before === 'signedIn' || before === 'skipped'
      slot.state = isEnded && !state.isRequired ? 'skipped' : 'due'
      if (promptOf(namespace) !== null) change({ isRequired: state.isRequired })
      if (slot.state === 'skipped') drop(namespace)
      else if (promptOf(namespace)?.step === 'checking') ask(account, state.isRequired)
      askNext()
    } catch {
      if (signal.aborted) return
      // 5.
      if (before !== 'checking') {
        slot.state = before
        if (promptOf(namespace)?.step === 'checking') drop(namespace)
        slot.stop = clock.after(nextLook, () => void check(account))
        return
      }
      await leave(namespace)
      whenOpen(store, () => modal.notifyFailure('SIWX_INIT_FAILED'))
    }
  }

  /** Signed in: until `expiresAt`, in epoch ms. */
  function settle({ namespace, ...account }: Account, expiresAt: number | null): void {
    const slot = slotOf(namespace)
    slot.state = 'signedIn'
    slot.stop()
    if (expiresAt !== null) {
      const wait = Math.min(Math.max(expiresAt - clock.now(), shortestWait), longestWait)
      slot.stop = clock.after(wait, () => void check({ namespace, ...account }))
    }
    drop(namespace)
    askNext()
    const { open, opening } = store.getState()
    if (open && isPromptView(opening.view)) goBack()
  }

  function drop(namespace: Namespace): void {
    if (promptOf(namespace) !== null) store.setState({ signInPrompt: null })
  }

  /** One at a time; whoever was not asked yet is next, the active namespace first. */
  function askNext(): void {
    if (prompt() !== null || ended) return
    const first = activeNamespaceOf(store.getState())
    const order = [...namespaces].sort((one, other) => Number(other === first) - Number(one === first))
    const next = order.map(slotOf).find(({ account, state }) => account !== null && state === 'due')
    if (next?.account) void check(next.account)
  }

  /* ---- asking */

  function show(account: Account, step: SignInPrompt['step'], isRequired: boolean): void {
    const { namespace, chainId, address } = account
    const connector = sessions.connector(namespace)
    if (connector === null) return
    const { name, imageUrl } = connector
    const wallet = { name, ...(imageUrl !== undefined && { imageUrl }) }
    const { view, origin } = options
    const domain = new URL(origin).host
    const who = { namespace, networkId: chainId, address, wallet }
    store.setState({ signInPrompt: { view, domain, ...who, isRequired, step, error: null } })
  }

  function ask(account: Account, isRequired: boolean): void {
    show(account, 'asked', isRequired)
    // 9.
    if (sessions.connector(account.namespace)?.type === 'AUTH') void attempt(account)
    else present()
  }

  function present(): void {
    const { open, opening } = store.getState()
    if (!open || !isPromptView(opening.view)) covered = open && isUnderWay(opening.view) ? opening : null
    modal.open(options.view)
  }

  /** Nobody is asked any more: to what the question came over. A payment that is over meanwhile is nothing to go back to. */
  function goBack(): void {
    if (prompt() !== null) return
    const back = covered
    covered = null
    if (back !== null && (back.view !== 'Pay' || store.getState().payment !== null)) modal.open(back.view, back.swap)
    else modal.close()
  }

  async function attempt(account: Account): Promise<void> {
    const { namespace, chainId, address } = account
    const slot = slotOf(namespace)
    const signal = begin(slot)
    slot.state = 'due'
    let failed: ErrorCode = 'SIWX_CALLBACK_FAILED'
    try {
      change({ step: 'preparing', error: null })
      const { data, message } = await request('siwxCreateMessage', { chainId, accountAddress: address }, { signal })
      // 10.
      const isMeant = isSameAccount({ namespace, chainId: data.chainId, address: data.accountAddress }, account)
      if (!isMeant || !names(message, account) || signInDomain(message, options.origin) === 'foreign')
        throw new Failure('SIWX_CALLBACK_FAILED')
      failed = failureOf(sessions.connection(namespace), 'SIGNATURE_DECLINED')
      change({ step: 'signing' })
      const toSign = { namespace, networkId: chainId, ...requestOf(account, message) }
      const signature = signatureIn(await options.rpc(toSign, signal))
      signal.throwIfAborted()
      failed = failureOf(sessions.connection(namespace), 'SIWX_CALLBACK_FAILED')
      change({ step: 'saving' })
      await request('siwxAddSession', { session: { data, message, signature } }, { signal })
      if (signal.aborted) return
      const { expirationTime } = data
      settle(account, expirationTime === undefined ? null : Date.parse(expirationTime))
      options.onEvent({ ...about(account), kind: 'signed' })
    } catch (thrown) {
      if (signal.aborted) return
      const { code, message } = asFailure(thrown)
      // The visitor's own no is no word on the kind of account.
      if (code === 'USER_REJECTED') fail(account, 'SIGNATURE_DECLINED')
      else fail(account, failed, failed === 'SIWX_CALLBACK_FAILED' ? message : undefined)
    }
  }

  /** 3. `detail` is what the page itself said. */
  function fail(account: Account, code: ErrorCode, detail?: string): void {
    options.onEvent({ ...about(account), kind: 'failed', code })
    const { message } = errors[code]
    change({ step: 'asked', error: { code, message, ...(detail !== undefined && { detail }) } })
    const { open, opening, approvals } = store.getState()
    if (!open || (!isPromptView(opening.view) && approvals.length === 0)) present()
  }

  /* ---- the end */

  /** 8. */
  function forget(namespace: Namespace): void {
    const { address, stop } = slotOf(namespace)
    stop()
    slots.delete(namespace)
    drop(namespace)
    if (address !== null) signOuts.set(namespace, signOut(namespace, address))
    askNext()
  }

  /** Of every chain of the dapp that the account signed in on. A page that cannot end one keeps it: that is told by its next word on it. */
  function signOut(namespace: Namespace, address: string): Promise<unknown> {
    const own = options.networks.list.filter(({ chainNamespace }) => chainNamespace === namespace)
    const end = async ({ caipNetworkId: chainId }: Network) => {
      const { isSignedIn, endsWithConnection } = await request('siwxGetState', { chainId, address })
      if (isSignedIn && endsWithConnection) await request('siwxRevokeSession', { chainId, address })
    }
    return Promise.allSettled(own.map(end))
  }

  /** The question stays until the connection has ended, so that nobody takes its end for a yes. */
  async function leave(namespace: Namespace): Promise<void> {
    covered = null
    const left = slots.get(namespace)
    change({ step: 'checking', error: null })
    try {
      await options.disconnect(namespace)
    } catch {
      modal.notifyFailure('DISCONNECT_FAILED')
    }
    const now = slots.get(namespace)
    if (now !== left && now?.account) return
    drop(namespace)
    if (store.getState().open) modal.open('Connect')
  }

  function skip(namespace: Namespace): void {
    const slot = slotOf(namespace)
    slot.stop()
    slot.state = 'skipped'
    drop(namespace)
    askNext()
  }

  const stopClosing = modal.onClose(() => {
    const shown = prompt()
    if (shown !== null && shown.step !== 'checking' && shown.step !== 'saving') skip(shown.namespace)
  })

  return {
    look,
    lookAgain() {
      for (const { account, state } of [...slots.values()])
        if (account !== null && (state === 'signedIn' || promptOf(account.namespace)?.step === 'asked'))
          void check(account)
    },
    sign() {
      const shown = prompt()
      const account = shown && slotOf(shown.namespace).account
      if (!account || shown?.step !== 'asked') return
      options.onEvent({ ...about(account), kind: 'signClicked' })
      void attempt(account)
    },
    async cancel() {
      const shown = prompt()
      if (shown === null) return
      if (shown.step === 'checking') {
        modal.close()
        return
      }
      options.onEvent({ networkId: shown.networkId, address: shown.address, kind: 'cancelClicked' })
      // 4.
      if (!shown.isRequired) {
        skip(shown.namespace)
        goBack()
        return
      }
      slotOf(shown.namespace).stop()
      await leave(shown.namespace)
    },
    end() {
      ended = true
      stopClosing()
      for (const { stop } of slots.values()) stop()
      slots.clear()
    },
  }
}

function about({ chainId: networkId, address }: Account): Pick<SignInEvent, 'networkId' | 'address'> {
  return { networkId, address }
}

/** Views that somebody fills in, or pays in. */
function isUnderWay(view: HostSnapshot['opening']['view']): boolean {
  return view === 'Pay' || view === 'Send' || view === 'Swap' || view === 'OnRamp'
}

function asked({ chainId, address }: Account): SignInParams<'siwxGetState'> {
  return { chainId, address }
}
