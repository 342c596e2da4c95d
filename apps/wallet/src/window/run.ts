/**
 * Runs the window from opening to closing.
 *
 * 1. Every state has a view: searching for the frame, severed from it, frame gone, a failure with a retry, success.
 * 2. The frame gets `done` only after success; a window closed earlier counts as aborted.
 * 3. After success the window closes automatically; if it may not, the button stays.
 */
import { errors, type WalletWindowPurpose } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { exportKeys } from './export'
import { type Flow, FlowEnd, type FlowGiven } from './flow'
import type { Found, FrameLink } from './frame-link'
import { keep } from './keep'
import { recovery } from './recovery'
import { actions, button, notice, type Screen, type Tone, working } from './screen'
import type { Say } from './text'
import { unlock } from './unlock'

const flows: Readonly<Record<WalletWindowPurpose, Flow>> = { keep, unlock, recovery, export: exportKeys }

/** Display time of the success, in ms. */
const seen = 1500

export type RunOptions = {
  readonly screen: Screen
  readonly say: Say
  readonly find: () => Promise<Found>
  /** Called once, with the dapp's context. */
  readonly found: (link: FrameLink) => void
  readonly tools: Omit<FlowGiven, 'link'>
  readonly wait: (milliseconds: number) => Promise<void>
  readonly close: () => void
}

export async function runWindow({ screen, say, find, found, tools, wait, close }: RunOptions): Promise<void> {
  screen.show(working(say, say('waiting.title'), say('waiting.text')))
  const result = await find()
  if ('failure' in result) return ended(result.failure)
  const { link } = result
  found(link)

  for (;;) {
    try {
      const outcome = await flows[link.context.purpose]({ ...tools, link })
      if (outcome !== null) {
        await link.ask('done', null)
        succeeded(outcome.done)
        await wait(seen)
      }
      link.end()
      return close()
    } catch (cause) {
      if (cause instanceof Failure && cause.code === 'LINK_CLOSED') return ended('lost')
      if (!(await wantsAnother(cause))) {
        link.end()
        return close()
      }
    }
  }

  function ended(how: 'severed' | 'lost'): void {
    show(say(`${how}.title`), 'warn', say(`${how}.text`), [button(say('close'), 'secondary', close)])
  }

  function succeeded(what: string): void {
    const body = [notice({ glyph: 'tick', tone: 'good', title: what, text: say('doneHint') })]
    screen.show({ title: say('done'), body: [...body, actions(button(say('close'), 'secondary', close))] })
    screen.announce(what)
  }

  function show(title: string, tone: Tone, text: string, buttons: readonly HTMLElement[]): void {
    screen.show({ title, body: [notice({ glyph: 'caution', tone, text }), actions(...buttons)] })
  }

  function wantsAnother(cause: unknown): Promise<boolean> {
    const [title, text] = wordsOf(cause, say)
    return new Promise((resolve) =>
      show(title, 'warn', text, [
        button(say('close'), 'secondary', () => resolve(false)),
        button(say('tryAgain'), 'primary', () => resolve(true)),
      ]),
    )
  }
}

/** Errors outside the catalogue show no details. */
function wordsOf(cause: unknown, say: Say): readonly [title: string, text: string] {
  if (cause instanceof FlowEnd) return [cause.title, cause.text]
  if (!(cause instanceof Failure)) return [say('failed.title'), errors.SOMETHING_WENT_WRONG.message]
  return cause.code === 'UNAUTHORIZED'
    ? [say('signedOut.title'), say('signedOut.text')]
    : [say('failed.title'), cause.message]
}
