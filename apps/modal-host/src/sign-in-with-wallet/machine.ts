import {
  type Connection,
  type ErrorCode,
  errors,
  type Namespace,
  namespaces,
  type SignInState,
} from '@postern/protocol'
import type { SignInEvent, SignInPrompt } from '../snapshot/contract'
import { type Account, accountOf, addressOf, isSameAccount } from './account'

export const recheckDelayMs = 30_000

type Wallet = SignInPrompt['wallet'] & { readonly isEmbedded: boolean }

type Slot = {
  readonly account: Account | null
  /** Also set on an unconfigured network. */
  readonly address: string | null
  readonly wallet: Wallet
  /** The page's last answer. `due`: must sign in. `skipped`: need not, or declined. */
  readonly answer: 'unknown' | 'signedIn' | 'due' | 'skipped'
  /** `check` asks the page, `sign` the user; `leave` disconnects the wallet. */
  readonly task: 'none' | 'check' | 'sign' | 'leave'
}

export type Prompt = Omit<SignInPrompt, 'view' | 'domain'>

export type SignInPromptsState = {
  readonly slots: { readonly [N in Namespace]?: Slot }
  readonly prompt: Prompt | null
}

export type SignInPromptsEvent =
  | { readonly type: 'connection'; readonly namespace: Namespace; readonly connection: Connection }
  /** Sessions may have changed, for example in another tab. */
  | { readonly type: 'sessionsChanged' }
  | { readonly type: 'checkDue'; readonly namespace: Namespace }
  | { readonly type: 'checked'; readonly account: Account; readonly state: SignInState }
  | { readonly type: 'checkFailed'; readonly account: Account }
  | { readonly type: 'sign' | 'cancel' | 'close' }
  | { readonly type: 'progress'; readonly account: Account; readonly step: 'signing' | 'saving' }
  /** `expiresAt`: epoch ms. */
  | { readonly type: 'signed'; readonly account: Account; readonly expiresAt: number | null }
  | { readonly type: 'signFailed'; readonly account: Account; readonly code: ErrorCode; readonly detail?: string }
  | { readonly type: 'left'; readonly namespace: Namespace }

/** `check`, `sign`, `leave`, a timer and `stop` of one namespace replace one another. */
export type SignInPromptsCommand =
  | { readonly type: 'check' | 'sign'; readonly account: Account }
  | { readonly type: 'leave'; readonly namespace: Namespace; readonly reason: 'cancelled' | 'checkFailed' }
  | { readonly type: 'checkAt'; readonly namespace: Namespace; readonly expiresAt: number }
  | { readonly type: 'checkAfter'; readonly namespace: Namespace; readonly delayMs: number }
  | { readonly type: 'stop'; readonly namespace: Namespace }
  | { readonly type: 'signOut'; readonly namespace: Namespace; readonly address: string }
  /** `showError`: unless the prompt or an approval is on screen. */
  | { readonly type: 'show' | 'showError' }
  /** Returns to the covered view; `goBackIfShown` only if the prompt is on screen. */
  | { readonly type: 'goBack' | 'goBackIfShown' }
  | { readonly type: 'closeModal' | 'openConnect' }
  | { readonly type: 'report'; readonly event: SignInEvent }

type Step = readonly [state: SignInPromptsState, commands: readonly SignInPromptsCommand[]]

export const noPrompts: SignInPromptsState = { slots: {}, prompt: null }

/**
 * Sign-in with the connected wallet (spec §4).
 *
 * 1. A user connected on a configured network is asked to sign in, unless the page has a session for that account and
 *    chain. Namespaces are asked one after the other, the `active` one first.
 * 2. Success: the modal closes, or returns to the covered view.
 * 3. Failure: the view reopens with the error, unless an approval is on screen.
 * 4. Cancel: a required sign-in disconnects the wallet and shows Connect, unless another wallet has connected by then;
 *    an optional one closes the modal and skips this account. While the requirement is unknown, or the wallet
 *    disconnects, a cancel only closes.
 * 5. If the page cannot report its sessions, the wallet disconnects, and an open modal shows the error and Connect. If
 *    the page answered before, that answer stands, and the page is asked again later.
 * 6. Closing is refused while sign-in is required (`snapshot/modal.ts`).
 * 7. After a session ends, the user is asked again only if sign-in is required.
 * 8. With `signOutOnDisconnect`, a disconnect ends all of the account's sessions on the dapp's chains, signed in or
 *    not. A user who reconnects is checked after that.
 * 9. The embedded wallet's approval is the only step; after a failure the view comes first.
 * 10. The page's message must contain the address and be for the requested account, chain and site (`sign-message.ts`).
 *     A connection that changes ends the attempt.
 * 11. The user's clicks and an attempt's outcome are reported once; a prompt that ends otherwise reports nothing.
 * 12. Events of a task that no longer runs are ignored.
 */
export function reduceSignInPrompts(
  state: SignInPromptsState,
  event: SignInPromptsEvent,
  active: Namespace | undefined,
): Step {
  switch (event.type) {
    case 'connection':
      return reduceConnection(state, event, active)
    case 'sessionsChanged':
      return sequence(
        state,
        namespaces.map(
          (namespace) => (current) => (isStale(current, namespace) ? check(current, namespace) : [current, []]),
        ),
      )
    case 'checkDue':
      return check(state, event.namespace)
    case 'checked':
      return isRunning(state, event.account, 'check') ? reduceChecked(state, event, active) : [state, []]
    case 'checkFailed':
      return isRunning(state, event.account, 'check') ? reduceCheckFailed(state, event.account) : [state, []]
    case 'sign':
      return reduceSign(state)
    case 'cancel':
      return reduceCancel(state, active)
    case 'close': {
      const { prompt } = state
      return prompt === null || prompt.step === 'checking' || prompt.step === 'saving'
        ? [state, []]
        : skip(state, prompt.namespace, active)
    }
    case 'progress':
      return isRunning(state, event.account, 'sign') ? [setPrompt(state, { step: event.step }), []] : [state, []]
    case 'signed':
      if (!isRunning(state, event.account, 'sign')) return [state, []]
      return sequence(state, [
        (current) => completeSignIn(current, event, active),
        (current) => [current, [report(event.account, { kind: 'signed' })]],
      ])
    case 'signFailed':
      return isRunning(state, event.account, 'sign') ? reduceSignFailed(state, event) : [state, []]
    case 'left':
      return reduceLeft(state, event.namespace)
  }
}

function reduceConnection(
  state: SignInPromptsState,
  { namespace, connection }: Extract<SignInPromptsEvent, { type: 'connection' }>,
  active: Namespace | undefined,
): Step {
  const slot = state.slots[namespace]
  if (connection.status === 'disconnected') {
    const stop: readonly SignInPromptsCommand[] = [{ type: 'stop', namespace }]
    const address = slot?.address ?? null
    const signOut: readonly SignInPromptsCommand[] = address === null ? [] : [{ type: 'signOut', namespace, address }]
    return sequence(state, [
      (current) => [drop({ ...current, slots: omit(current.slots, namespace) }, namespace), [...stop, ...signOut]],
      (current) => askNext(current, active),
    ])
  }
  if (connection.status !== 'connected') return [state, []]
  const { name, imageUrl, type } = connection.connector
  const wallet = { name, ...(imageUrl !== undefined && { imageUrl }), isEmbedded: type === 'AUTH' }
  const account = accountOf(namespace, connection)
  if (slot !== undefined && account !== null && isSameAccount(account, slot.account))
    return [setSlot(state, namespace, { ...slot, wallet }), []]
  // The page's answer about another account does not apply.
  const next: Slot = { account, address: addressOf(connection), wallet, answer: 'unknown', task: 'none' }
  return sequence(drop(setSlot(state, namespace, next), namespace), [
    (current) => [current, [{ type: 'stop', namespace }]],
    (current) => (account === null ? askNext(current, active) : check(current, namespace)),
  ])
}

/* ---- whether to ask the user */

function check(state: SignInPromptsState, namespace: Namespace): Step {
  const slot = state.slots[namespace]
  if (slot === undefined || slot.account === null) return [state, []]
  const checking = setSlot(state, namespace, { ...slot, task: 'check' })
  const prompt = state.prompt ?? promptFor(slot.account, slot.wallet, { step: 'checking', isRequired: false })
  return [{ ...checking, prompt }, [{ type: 'check', account: slot.account }]]
}

function isStale({ slots, prompt }: SignInPromptsState, namespace: Namespace): boolean {
  const slot = slots[namespace]
  if (slot === undefined) return false
  const isAsked = prompt?.namespace === namespace && prompt.step === 'asked'
  return isAsked || (slot.answer === 'signedIn' && slot.task === 'none')
}

function reduceChecked(
  state: SignInPromptsState,
  { account, state: answer }: Extract<SignInPromptsEvent, { type: 'checked' }>,
  active: Namespace | undefined,
): Step {
  const { namespace } = account
  const slot = state.slots[namespace]
  if (slot === undefined) return [state, []]
  if (answer.isSignedIn) return completeSignIn(state, { account, expiresAt: answer.expiresAt }, active)
  const { isRequired } = answer
  // Rule 7.
  const isEnded = slot.answer === 'signedIn' || slot.answer === 'skipped'
  const isSkipped = isEnded && !isRequired
  const prompt = promptOf(state, namespace)
  const answered = setSlot(state, namespace, { ...slot, answer: isSkipped ? 'skipped' : 'due', task: 'none' })
  if (prompt === null) return askNext(answered, active)
  if (isSkipped) return askNext(drop(answered, namespace), active)
  return prompt.step === 'checking'
    ? ask(answered, { ...slot, account }, isRequired)
    : [setPrompt(answered, { isRequired }), []]
}

/** Rule 5. */
function reduceCheckFailed(state: SignInPromptsState, { namespace }: Account): Step {
  const slot = state.slots[namespace]
  if (slot === undefined) return [state, []]
  if (slot.answer === 'unknown') return leave(state, namespace, 'checkFailed')
  const idle = setSlot(state, namespace, { ...slot, task: 'none' })
  const isChecking = promptOf(state, namespace)?.step === 'checking'
  return [isChecking ? drop(idle, namespace) : idle, [{ type: 'checkAfter', namespace, delayMs: recheckDelayMs }]]
}

function completeSignIn(
  state: SignInPromptsState,
  { account: { namespace }, expiresAt }: { readonly account: Account; readonly expiresAt: number | null },
  active: Namespace | undefined,
): Step {
  const slot = state.slots[namespace]
  if (slot === undefined) return [state, []]
  const signedIn = drop(setSlot(state, namespace, { ...slot, answer: 'signedIn', task: 'none' }), namespace)
  const next: SignInPromptsCommand =
    expiresAt === null ? { type: 'stop', namespace } : { type: 'checkAt', namespace, expiresAt }
  return sequence(signedIn, [
    (current) => [current, [next]],
    (current) => askNext(current, active),
    (current) => [current, current.prompt === null ? [{ type: 'goBackIfShown' }] : []],
  ])
}

function askNext(state: SignInPromptsState, active: Namespace | undefined): Step {
  if (state.prompt !== null) return [state, []]
  const order = [...namespaces].sort((one, other) => Number(other === active) - Number(one === active))
  const next = order.find((namespace) => {
    const slot = state.slots[namespace]
    return slot !== undefined && slot.account !== null && slot.answer === 'due' && slot.task === 'none'
  })
  return next === undefined ? [state, []] : check(state, next)
}

/* ---- asking */

function ask(
  state: SignInPromptsState,
  { account, wallet }: { readonly account: Account; readonly wallet: Wallet },
  isRequired: boolean,
): Step {
  const prompted = { ...state, prompt: promptFor(account, wallet, { step: 'asked', isRequired }) }
  // Rule 9.
  return wallet.isEmbedded ? sign(prompted, account) : [prompted, [{ type: 'show' }]]
}

function sign(state: SignInPromptsState, account: Account): Step {
  const slot = state.slots[account.namespace]
  if (slot === undefined) return [state, []]
  const signing = setSlot(state, account.namespace, { ...slot, answer: 'due', task: 'sign' })
  return [setPrompt(signing, { step: 'preparing', error: null }), [{ type: 'sign', account }]]
}

function reduceSign(state: SignInPromptsState): Step {
  const { prompt, slots } = state
  const account = prompt && slots[prompt.namespace]?.account
  if (!account || prompt?.step !== 'asked') return [state, []]
  const [next, commands] = sign(state, account)
  return [next, [report(account, { kind: 'signClicked' }), ...commands]]
}

function reduceSignFailed(
  state: SignInPromptsState,
  { account, code, detail }: Extract<SignInPromptsEvent, { type: 'signFailed' }>,
): Step {
  const slot = state.slots[account.namespace]
  if (slot === undefined) return [state, []]
  const { message } = errors[code]
  const error = { code, message, ...(detail !== undefined && { detail }) }
  const idle = setSlot(state, account.namespace, { ...slot, task: 'none' })
  return [setPrompt(idle, { step: 'asked', error }), [report(account, { kind: 'failed', code }), { type: 'showError' }]]
}

/* ---- the end */

function reduceCancel(state: SignInPromptsState, active: Namespace | undefined): Step {
  const { prompt } = state
  if (prompt === null) return [state, []]
  if (prompt.step === 'checking') return [state, [{ type: 'closeModal' }]]
  const { namespace, networkId: chainId, address } = prompt
  const cancelled = report({ namespace, chainId, address }, { kind: 'cancelClicked' })
  const [next, commands] = prompt.isRequired
    ? leave(state, namespace, 'cancelled')
    : // Rule 4: an optional sign-in only closes.
      sequence(state, [
        (current) => skip(current, namespace, active),
        (current) => [current, current.prompt === null ? [{ type: 'goBack' }] : []],
      ])
  return [next, [cancelled, ...commands]]
}

/** Keeps the prompt until disconnected, so that the end does not look like a success. */
function leave(state: SignInPromptsState, namespace: Namespace, reason: 'cancelled' | 'checkFailed'): Step {
  const slot = state.slots[namespace]
  const leaving = slot === undefined ? state : setSlot(state, namespace, { ...slot, task: 'leave' })
  const isShown = promptOf(leaving, namespace) !== null
  return [
    isShown ? setPrompt(leaving, { step: 'checking', error: null }) : leaving,
    [{ type: 'leave', namespace, reason }],
  ]
}

function reduceLeft(state: SignInPromptsState, namespace: Namespace): Step {
  const slot = state.slots[namespace]
  const isLeaving = slot?.task === 'leave'
  // Rule 4.
  if (slot !== undefined && !isLeaving && slot.account !== null) return [state, []]
  const left = isLeaving ? setSlot(state, namespace, { ...slot, task: 'none' }) : state
  return [drop(left, namespace), [{ type: 'openConnect' }]]
}

function skip(state: SignInPromptsState, namespace: Namespace, active: Namespace | undefined): Step {
  const slot = state.slots[namespace]
  const skipped = slot === undefined ? state : setSlot(state, namespace, { ...slot, answer: 'skipped', task: 'none' })
  return sequence(drop(skipped, namespace), [
    (current) => [current, [{ type: 'stop', namespace }]],
    (current) => askNext(current, active),
  ])
}

/* ---- parts of the state */

function isRunning({ slots }: SignInPromptsState, account: Account, task: Slot['task']): boolean {
  const slot = slots[account.namespace]
  return slot?.task === task && isSameAccount(account, slot.account)
}

function promptOf({ prompt }: SignInPromptsState, namespace: Namespace): Prompt | null {
  return prompt?.namespace === namespace ? prompt : null
}

function promptFor(
  { namespace, chainId: networkId, address }: Account,
  { isEmbedded: _, ...wallet }: Wallet,
  { step, isRequired }: Pick<Prompt, 'step' | 'isRequired'>,
): Prompt {
  return { namespace, networkId, address, wallet, isRequired, step, error: null }
}

function setPrompt(
  state: SignInPromptsState,
  changes: Partial<Pick<Prompt, 'step' | 'error' | 'isRequired'>>,
): SignInPromptsState {
  return state.prompt === null ? state : { ...state, prompt: { ...state.prompt, ...changes } }
}

function drop(state: SignInPromptsState, namespace: Namespace): SignInPromptsState {
  return promptOf(state, namespace) === null ? state : { ...state, prompt: null }
}

function setSlot(state: SignInPromptsState, namespace: Namespace, slot: Slot): SignInPromptsState {
  return { ...state, slots: { ...state.slots, [namespace]: slot } }
}

function omit(slots: SignInPromptsState['slots'], namespace: Namespace): SignInPromptsState['slots'] {
  const { [namespace]: _, ...others } = slots
  return others
}

function report({ chainId: networkId, address }: Account, event: ReportedEvent): SignInPromptsCommand {
  return { type: 'report', event: { networkId, address, ...event } }
}

type ReportedEvent = SignInEvent extends infer E
  ? E extends SignInEvent
    ? Omit<E, 'networkId' | 'address'>
    : never
  : never

function sequence(state: SignInPromptsState, steps: readonly ((state: SignInPromptsState) => Step)[]): Step {
  return steps.reduce<Step>(
    ([current, commands], step) => {
      const [next, more] = step(current)
      return [next, [...commands, ...more]]
    },
    [state, []],
  )
}
