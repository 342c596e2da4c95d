import type {
  ApprovalRequest,
  ThemeSync,
  WalletFrameNotice,
  WalletFramePage,
  WalletFramePayload,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { DrawnCode } from '../../approval/code/code-card'
import { assetPath } from '../../approval/description/asset-path'
import { type DescribeRequest, networkOf } from '../../approval/description/describe-request'
import { counterpartiesOf, type KnownAddresses } from '../../approval/description/known-addresses'
import type { Drawing, DrawingHandlers, DrawnApproval } from '../../approval/drawing'
import type { Approvals } from '../../signing/approvals'
import type { WaitingApproval } from '../../window-messages'
import type { OwnWindow } from '../window/own-window'
import type { ApprovalPlaces } from './approval-places'
import { createLazyDrawing } from './lazy-drawing'

type ApprovalWord = { readonly id: string; readonly digest: string }

export type ApprovalScreen = {
  show(payload: WalletFramePayload<'SHOW_APPROVAL'>): Promise<void>
  hide(): void
  /** Drawn only without an approval. Rejects if the drawing does not load. */
  drawCode(code: DrawnCode | null): Promise<void>
  setLook(look: ThemeSync): void
  setDappName(name: string | undefined): void
  /** `isDone`: signed, and sent if the method sends. */
  settled(id: string, isDone: boolean): void
  firstInWindow(): WaitingApproval | null
  /** @throws {Failure} INVALID_REQUEST if the request no longer waits */
  approveInWindow(word: ApprovalWord): Promise<void>
  repaint(): void
  end(): void
}

export type ApprovalScreenOptions = {
  readonly page: WalletFramePage
  readonly approvals: Approvals
  readonly places: ApprovalPlaces
  readonly window: Pick<OwnWindow, 'open' | 'state'>
  readonly describe: DescribeRequest
  readonly known: KnownAddresses
  readonly userId: () => Promise<string>
  readonly notify: (notice: WalletFrameNotice) => void
  readonly loadDrawing: (handlers: DrawingHandlers) => Promise<Drawing>
}

type Shown = Pick<DrawnApproval, 'request' | 'intent' | 'asker' | 'isSigning'>

/**
 * Draws the approval in the frame; without one, the entry of a code (`code-screen.ts`).
 *
 * 1. It draws only a request that waits in `approvals`, from the bytes prepared here. The modal only names an id.
 * 2. A press approves exactly the request on screen, by its digest, once.
 * 3. A new request, hiding, and the request's end clear the drawing. A late description is ignored.
 * 4. An approved request stays, without a choice, until the modal hides it or a code is entered.
 * 5. The wallet keeps its own font and surfaces: a page's could make the card unreadable without covering it.
 * 6. A request's counterparties are known once it was sent, unless its simulation failed.
 * 7. A window's request has a button that opens the window. While the place is unknown, the user can only decline.
 * 8. A request that no network prepared has Try again.
 */
export function createApprovalScreen(options: ApprovalScreenOptions): ApprovalScreen {
  const { page, approvals, places, describe, notify } = options
  let shown: Shown | null = null
  let describing = new AbortController()
  let dappName: string | undefined
  let code: DrawnCode | null = null

  /** Rule 6: until they settle. */
  const approved = new Map<string, Pick<Shown, 'request' | 'intent'>>()

  const handlers: DrawingHandlers = {
    onApprove(request) {
      if (shown === null || shown.request !== request || shown.isSigning) return
      // The request ended, is blocked, or belongs to the window.
      approve(request, () => places.approveInFrame(request)).catch(() => {})
    },
    onContinue: () => options.window.open(),
    onRetry: ({ id }) => approvals.retry({ id }),
    onReject({ id }) {
      if (shown?.request.id === id && !shown.isSigning) approvals.reject({ id })
    },
    onHeight(id, height) {
      if ((onScreen()?.request.id ?? code?.id) === id) notify({ name: 'SCREEN_HEIGHT', id, height })
    },
    onLeft: (by) => notify({ name: 'FRAME_LEFT', by }),
  }

  const drawing = createLazyDrawing(() => options.loadDrawing(handlers))

  function onScreen(): Shown | null {
    return code !== null && shown?.isSigning === true ? null : shown
  }

  function paint(): void {
    const drawn = onScreen()
    if (drawn === null) {
      drawing.draw(code)
      return
    }
    const { request, isSigning } = drawn
    const place = places.of(request.id)
    const elsewhere = isSigning || place?.place !== 'window' ? null : { place, popup: options.window.state() }
    const isPlaced = isSigning || place !== null
    const { name, imageUrl = assetPath(request.networkId, page.projectId) } = networkOf(page, request.networkId)
    const queued = approvals.waiting().length + (isSigning ? 1 : 0)
    const intent = isPlaced ? drawn.intent : null
    const isPreparing = approvals.isPreparing(request.id)
    drawing.draw({ ...drawn, intent, elsewhere, network: { name, imageUrl }, dappName, queued, isPreparing })
  }

  function begin(request: ApprovalRequest, asker: Shown['asker']): void {
    describing.abort()
    describing = new AbortController()
    const { signal } = describing
    shown = { request, asker, intent: null, isSigning: false }
    paint()
    const described = describe(request, signal, (intent) => {
      if (signal.aborted || shown === null) return
      shown = { ...shown, intent }
      paint()
    })
    // Without a description, the user can only reject.
    described.catch(() => {})
  }

  function clear(): void {
    describing.abort()
    shown = null
    paint()
  }

  /** If `act` fails, the choice returns. */
  async function approve({ id }: ApprovalWord, act: () => void | Promise<void>): Promise<void> {
    const request = approvals.waiting().find((one) => one.id === id)
    if (request === undefined || request.blocked !== undefined) throw new Failure('INVALID_REQUEST')
    approved.set(id, { request, intent: shown?.request === request ? shown.intent : null })
    markSigning(request, true)
    try {
      await act()
    } catch (cause) {
      approved.delete(id)
      if (approvals.waiting().includes(request)) markSigning(request, false)
      else if (shown?.request === request) clear()
      throw cause
    }
    notify({ name: 'APPROVED', id })
  }

  function markSigning(request: ApprovalRequest, isSigning: boolean): void {
    if (shown?.request === request) shown = { ...shown, isSigning }
    paint()
  }

  const stopListening = places.subscribe(() => {
    if (shown === null) return
    const { request, asker, isSigning } = shown
    const waiting = approvals.waiting().find(({ id }) => id === request.id)
    if (isSigning || waiting === request) paint()
    else if (waiting === undefined) clear()
    // Rule 8.
    else begin(waiting, asker)
  })

  return {
    async show({ id, asker = 'dapp' }) {
      const request = approvals.waiting().find((one) => one.id === id)
      if (request === undefined) throw new Failure('INVALID_REQUEST')
      clear()
      begin(request, asker)
      await drawing.load()
      paint()
    },
    hide: clear,
    async drawCode(next) {
      code = next
      if (next !== null) await drawing.load()
      paint()
    },
    setLook: drawing.setLook,
    setDappName(name) {
      dappName = name
    },
    settled(id, isDone) {
      const found = approved.get(id)
      approved.delete(id)
      if (found !== undefined && isDone) void remember(found, options)
    },
    firstInWindow() {
      const waiting = places.inWindow()
      const [request] = waiting
      if (request === undefined) return null
      const asker = shown?.request === request ? shown.asker : 'dapp'
      return { request, queued: waiting.length, asker, ...(dappName !== undefined && { dappName }) }
    },
    approveInWindow: (word) => approve(word, () => places.approveInWindow(word)),
    repaint: paint,
    end() {
      stopListening()
      code = null
      clear()
      drawing.end()
    },
  }
}

/** Rule 6. */
async function remember(
  { request, intent }: Pick<Shown, 'request' | 'intent'>,
  { known, userId }: ApprovalScreenOptions,
): Promise<void> {
  if (intent?.warnings.some(({ kind }) => kind === 'wouldFail')) return
  try {
    await known.add({ userId: await userId(), request }, counterpartiesOf(request, intent))
  } catch {
    // Then the user is warned once more.
  }
}
