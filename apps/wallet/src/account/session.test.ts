import { manualClock } from '@postern/base/testing/manual-clock'
import { expect, it } from 'vitest'
import type { Ladder } from '../storage/ladder'
import { newKey } from '../testing/fake-proofs'
import type { StoredSession } from '../window-messages'
import type { Gateway } from './gateway'
import { createSession } from './session'

const user = { id: 'ada', provider: 'email', email: null, userName: null } as const

it('4. ends when another tab signed out, and not when the storage cannot be read', async () => {
  let kept: StoredSession | null = null
  let isReadable = true
  let reads = 0
  const store = {
    async session() {
      reads += 1
      if (!isReadable) throw new DOMException('Internal error', 'UnknownError')
      return kept
    },
    async setSession(session: StoredSession | null) {
      kept = session
    },
  }
  const notices: string[] = []
  let onChanged = () => {}
  const session = createSession({
    ladder: { current: async () => ({ storage: 'frame', store }) } as unknown as Ladder,
    gateway: {} as Gateway,
    tabs: {
      alone: (work) => work(),
      tellSessionChanged() {},
      onSessionChanged(listener) {
        onChanged = listener
        return () => {}
      },
    },
    clock: manualClock(),
    notify: ({ name }) => void notices.push(name),
    onBegin() {},
    onEnd() {},
  })
  session.followTabs()
  await session.begin(
    { status: 'signedIn', sessionToken: 'secret', expiresAt: 1, user, identityToken: 'token' },
    await newKey(),
    () => true,
  )
  const changed = async () => {
    const before = reads
    onChanged()
    await expect.poll(() => reads).toBe(before + 1)
    await Promise.resolve()
  }

  isReadable = false
  await changed()
  expect(notices).toEqual(['SESSION_UPDATE'])
  isReadable = true
  await changed()
  expect(notices).toEqual(['SESSION_UPDATE'])
  kept = null
  await changed()
  await expect.poll(() => notices).toEqual(['SESSION_UPDATE', 'SESSION_ENDED'])
})
