/**
 * Stores the wallet in this window: it is first-party, so it may store what the frame may not.
 *
 * 1. Signed in: the frame's record is stored here, and only then does the frame rely on it.
 * 2. Signed out: the stored record goes to the frame after the user has allowed it for this page. A page that opens the
 *    window on its own gets nothing.
 * 3. Success is reported only after the record was read back.
 */
import type { FlowGiven, FlowResult } from './flow'
import { FlowEnd } from './flow'
import { actions, button, notice, working } from './screen'

export async function keep(given: FlowGiven): Promise<FlowResult> {
  const { link, screen, say, openStore } = given
  const isSignedIn = link.context.user !== null
  screen.show(working(say, say('keep.title')))
  const store = await openStore()
  if (store === null) throw new FlowEnd(say('keep.denied.title'), say('keep.denied.text'))

  if (isSignedIn) {
    if (!(await agreed(given, 'keep.title', 'keep.text', 'keep.button'))) return null
    screen.show(working(say, say('keep.title')))
    const record = await link.ask('takeRecord', null)
    await store.writeRecord(record)
    const kept = await store.readRecord()
    if (kept?.deviceToken !== record.deviceToken) throw new FlowEnd(say('keep.denied.title'), say('keep.denied.text'))
    await link.ask('kept', null)
    return { done: say('keep.done') }
  }

  const record = await store.readRecord()
  if (record === null || record.session === null) throw new FlowEnd(say('keep.none.title'), say('keep.none.text'))
  if (!(await agreed(given, 'open.title', 'open.text', 'open.button'))) return null
  screen.show(working(say, say('open.title')))
  const { signedIn } = await link.ask('giveRecord', record)
  if (!signedIn) throw new FlowEnd(say('keep.none.title'), say('keep.none.text'))
  return { done: say('open.done') }
}

type Words = readonly [
  title: 'keep.title' | 'open.title',
  text: 'keep.text' | 'open.text',
  yes: 'keep.button' | 'open.button',
]

function agreed({ screen, say, link }: FlowGiven, ...[title, text, yes]: Words): Promise<boolean> {
  return screen.ask<boolean>((answer) => ({
    title: say(title),
    body: [
      notice({ glyph: 'device', text: say(text, { origin: link.context.origin }) }),
      actions(
        button(say('cancel'), 'secondary', () => answer(false)),
        button(say(yes), 'primary', () => answer(true)),
      ),
    ],
  }))
}
