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
  look(namespace: Namespace, connection: Connection): void
  lookAgain(): void
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
  /** ConnectingSiwe: the older configuration, EVM only. */
  readonly view: SignInPrompt['view']
  /** Of the dapp's page, as reported by the browser. */
  readonly origin: string
  readonly disconnect: (namespace: Namespace) => Promise<void>
  readonly networks: Pick<ConfiguredNetworks, 'list'>
  readonly onEvent: (event: SignInEvent) => void
}

type Slot = {
  /** Even on an unconfigured network. */
  address: string | null
  /** Last asked about, with the page's answer. */
  account: Account | null
  state: 'checking' | 'signedIn' | 'due' | 'skipped'
  stop: () => void
}

/** Max timer delay, and min interval between two checks of a session, in ms. */
const longestWait = 2 ** 31 - 1
const shortestWait = 1_000
/** After a failed check, in ms. */
const nextLook = 30_000

/**
 * Sign-in with the connected wallet (spec §4).
 *
 * 1. A user connected on a configured network is asked to sign in, unless the page has a session of that account on
 *    that chain. Another account or network is checked separately. Several namespaces are asked one after the other,
 *    the active one first.
 * 2. Success: the page has stored the session, and the modal closes or returns to the covered view if the user was
 *    filling something in or paying there.
 * 3. Failure: the view reopens with the error (unless it or an approval is on screen); the user can retry.
 * 4. Cancel: a required sign-in disconnects the wallet and then shows Connect, unless another wallet has connected by
 *    then; an optional one closes the modal, and this account is not asked again. Before it is known whether sign-in is
 *    required, and while the wallet is disconnecting, a cancel only closes.
 * 5. If the page cannot report its sessions (it throws, hangs, or returns garbage): disconnect, show 'A problem
 *    occurred while trying initialize authentication' when the modal is open, and Connect. If it answered before, its
 *    last answer stands, and it is asked again after a delay.
 * 6. Closing is refused while sign-in is required (`view.ts`).
 * 7. If a session expires, or the page ends it, the user is asked again only if sign-in is required.
 * 8. The end of a connection ends the sessions of its account on all of the dapp's chains if the page wants that
 *    (`signOutOnDisconnect`), signed in at that moment or not. Sessions of other accounts and namespaces stay. A user
 *    who reconnects is checked after they have ended.
 * 9. The embedded wallet shows what it signs: its approval is the only step. Only after a failure the view comes first.
 * 10. The page's message must be for the requested account and chain, contain the address, and be for no other site;
 *     else it is an error. A connection that changes during an attempt ends it.
 * 11. The user's clicks and the outcome of an attempt are reported once. A prompt that ends in any other way reports
 *     nothing.
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

  /* ---- whether to ask the user */

  function look(namespace: Namespace, connection: Connection): void {
    if (options.view === 'ConnectingSiwe' && namespace !== 'eip155') return
    const slot = slotOf(namespace)
    if (connection.status === 'disconnected') forget(namespace)
    if (connection.status !== 'connected') return
    const account = accountOf(namespace, connection)
    if (account !== null && isSameAccount(account, slot.account)) return
    // The answer for another account does not apply.
    slot.stop()
    slots.delete(namespace)
    drop(namespace)
    Object.assign(slotOf(namespace), { account, address: addressOf(connection) })
    if (account !== null) void check(account)
    else askNext()
  }

  /** A late result then changes nothing. */
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
      // 8: wait for the old sessions to end
      const signOut = signOuts.get(namespace)
      if (signOut !== undefined) await signOut
      signal.throwIfAborted()
      const state = await request('siwxGetState', asked(account), { signal })
      if (signal.aborted) return
      if (state.isSignedIn) return settle(account, state.expiresAt)
      // 7: only if required
      const isEnded = before === 'signedIn' || before === 'skipped'
      slot.state = isEnded && !state.isRequired ? 'skipped' : 'due'
      if (promptOf(namespace) !== null) change({ isRequired: state.isRequired })
      if (slot.state === 'skipped') drop(namespace)
      else if (promptOf(namespace)?.step === 'checking') ask(account, state.isRequired)
      askNext()
    } catch {
      if (signal.aborted) return
      // 5: keep the last answer
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

  /** Signed in until `expiresAt` (epoch ms). */
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

  /** One namespace at a time, the active one first. */
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
    // 9: its approval is the only step
    if (sessions.connector(account.namespace)?.type === 'AUTH') void attempt(account)
    else present()
  }

  function present(): void {
    const { open, opening } = store.getState()
    if (!open || !isPromptView(opening.view)) covered = open && isUnderWay(opening.view) ? opening : null
    modal.open(options.view)
  }

  /** To the covered view, unless it is a payment that is over. */
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
      // 10: same account, chain and site
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
      // A refusal says nothing about the kind of account.
      if (code === 'USER_REJECTED') fail(account, 'SIGNATURE_DECLINED')
      else fail(account, failed, failed === 'SIWX_CALLBACK_FAILED' ? message : undefined)
    }
  }

  /** 3: `detail` is the page's message */
  function fail(account: Account, code: ErrorCode, detail?: string): void {
    options.onEvent({ ...about(account), kind: 'failed', code })
    const { message } = errors[code]
    change({ step: 'asked', error: { code, message, ...(detail !== undefined && { detail }) } })
    const { open, opening, approvals } = store.getState()
    if (!open || (!isPromptView(opening.view) && approvals.length === 0)) present()
  }

  /* ---- the end */

  /** 8: wait for the old sessions to end */
  function forget(namespace: Namespace): void {
    const { address, stop } = slotOf(namespace)
    stop()
    slots.delete(namespace)
    drop(namespace)
    if (address !== null) signOuts.set(namespace, signOut(namespace, address))
    askNext()
  }

  /** On all of the dapp's chains. If one fails, the page's next answer shows that. */
  function signOut(namespace: Namespace, address: string): Promise<unknown> {
    const own = options.networks.list.filter(({ chainNamespace }) => chainNamespace === namespace)
    const end = async ({ caipNetworkId: chainId }: Network) => {
      const { isSignedIn, endsWithConnection } = await request('siwxGetState', { chainId, address })
      if (isSignedIn && endsWithConnection) await request('siwxRevokeSession', { chainId, address })
    }
    return Promise.allSettled(own.map(end))
  }

  /** Keeps the prompt until disconnected, so that the end does not look like a success. */
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
      // 4: optional only closes
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

/** Views that the user fills in or pays in. */
function isUnderWay(view: HostSnapshot['opening']['view']): boolean {
  return view === 'Pay' || view === 'Send' || view === 'Swap' || view === 'OnRamp'
}

function asked({ chainId, address }: Account): SignInParams<'siwxGetState'> {
  return { chainId, address }
}
