import type { Recovery } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Signer } from '../keys/index'
import type { WalletRecord } from '../window-messages'
import { element, listen } from './dom'
import type { FrameLink } from './frame-link'
import type { Credentials } from './passkey'
import type { Stretch } from './passphrase'
import { button, field, form, type Screen, type View, working } from './screen'
import type { Say } from './text'

/** First-party; null if denied. */
export type WindowStore = {
  readRecord(): Promise<WalletRecord | null>
  writeRecord(record: WalletRecord): Promise<void>
}

export type FlowGiven = {
  readonly link: FrameLink
  readonly screen: Screen
  readonly say: Say
  /** The passkeys' relying party. */
  readonly host: string
  readonly credentials: Credentials
  readonly stretch: Stretch
  readonly openStore: () => Promise<WindowStore | null>
  readonly startSigner: () => Promise<Signer>
  readonly copy: (text: string) => Promise<void>
  /** When the window is hidden or loses focus. Returns the unsubscribe function. */
  readonly onLeave: (listener: () => void) => () => void
}

/** Success message; null if cancelled. */
export type FlowResult = { readonly done: string } | null
export type Flow = (given: FlowGiven) => Promise<FlowResult>

/** `back`: the reason to return to the choice. */
export type Made = { readonly recovery: Recovery } | { readonly back: string }

export class FlowEnd extends Error {
  override readonly name = 'FlowEnd'
  readonly title: string
  readonly text: string
  constructor(title: string, text: string) {
    super(title)
    this.title = title
    this.text = text
  }
}

const codeFailures: ReadonlySet<string> = new Set(['WRONG_CODE', 'CODE_EXPIRED', 'CODE_SPENT', 'TOO_MANY_ATTEMPTS'])

/**
 * Runs an action that needs a new code besides the session, if the account has an email address.
 *
 * 1. A wrong, used or expired code is asked for again, with the reason next to the field; nothing else is lost.
 * 2. An email sent a moment ago is still valid: the cooldown is no failure here.
 * 3. Returns null if the user cancelled.
 */
export async function withCode<T>(
  given: FlowGiven,
  purpose: 'export' | 'recovery',
  use: (code: { readonly otp?: string }) => Promise<T>,
): Promise<{ readonly value: T } | null> {
  const { link, screen, say } = given
  screen.show(working(say, say('code.title')))
  if (!(await needsCode(given, purpose))) return { value: await use({}) }
  let complaint = ''
  for (;;) {
    const otp = await screen.ask<string | null>((answer) => codeView(given, purpose, complaint, answer))
    if (otp === null) return null
    screen.show(working(say, say('code.title')))
    try {
      return { value: await use({ otp }) }
    } catch (cause) {
      if (!(cause instanceof Failure) || !codeFailures.has(cause.code) || link.context.user === null) throw cause
      complaint = cause.message
    }
  }
}

async function needsCode({ link }: FlowGiven, purpose: 'export' | 'recovery'): Promise<boolean> {
  try {
    return (await link.ask('confirm', { purpose })).needsCode
  } catch (cause) {
    if (cause instanceof Failure && cause.code === 'EMAIL_COOLDOWN') return true
    throw cause
  }
}

function codeView(
  given: FlowGiven,
  purpose: 'export' | 'recovery',
  complaint: string,
  answer: (otp: string | null) => void,
): View {
  const { link, screen, say } = given
  const { node, input, complain } = field(say('code.label'), {
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    pattern: '\\d{6}',
    maxlength: '12',
    class: 'code',
    name: 'one-time-code',
  })
  const submit = () => {
    const digits = input.value.replace(/\s/g, '')
    if (/^\d{6}$/.test(digits)) answer(digits)
    else complain(say('code.format'))
  }
  listen(input, 'input', () => {
    if (/^\d{6}$/.test(input.value.replace(/\s/g, ''))) submit()
  })
  const again = button(say('code.again'), 'text', () => {
    link.ask('confirm', { purpose }).then(
      () => {
        complain('')
        screen.announce(say('code.resent'))
        note.textContent = say('code.resent')
      },
      (cause: unknown) => complain(cause instanceof Failure ? cause.message : say('failed.title')),
    )
  })
  const note = element('p', { class: 'text' }, say('code.sent', { email: link.context.user?.email ?? '' }))
  const cancel = button(say('cancel'), 'secondary', () => answer(null))
  complain(complaint)
  return {
    title: say('code.title'),
    body: [note, form(say('continue'), submit, [node], [cancel]), again],
    focus: input,
  }
}
