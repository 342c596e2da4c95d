/** Signed-in users of a gateway that all tests of a file share. */
import { afterAll, beforeEach } from 'vitest'
import { rateLimits } from '../platform/db/schema'
import { startTestApp, type TestApp } from './app'
import { noon } from './clock'
import { codeIn, signInByEmail, succeed } from './sign-in'

export type Visitor = Awaited<ReturnType<typeof signInByEmail>> & { readonly email: string }

/** The visitor's session, for a call. */
export const sessionOf = ({ sessionToken }: Visitor) => ({ token: sessionToken })

export type SharedGateway = {
  readonly app: TestApp
  /** Its clock, epoch ms. Each test starts a day later, with no rate limit used. */
  at: number
  /** In a new browser unless `deviceToken` is given, a minute later: two emails to one address need a pause. */
  signIn(email?: string, deviceToken?: string): Promise<Visitor>
  /** The emailed code for an action beyond the session, a minute later. */
  confirm(visitor: Visitor, purpose: 'export' | 'recovery' | 'move' | 'deletePrevious' | 'delete'): Promise<string>
  /** Changes the address of the visitor's account, with the codes of both, a minute later. */
  changeAddress(visitor: Visitor, email: string): Promise<void>
}

/** Closes after the last test of the calling file. */
export async function sharedGateway(): Promise<SharedGateway> {
  const clock = { at: noon }
  const app = await startTestApp({ now: () => clock.at })
  afterAll(() => app.close())
  beforeEach(async () => {
    clock.at += 24 * 60 * 60_000
    await app.database.orm.delete(rateLimits)
  })
  let count = 0
  return Object.assign(clock, {
    app,
    async signIn(email = `visitor${++count}@example.com`, deviceToken?: string) {
      clock.at += 60_000
      return { ...(await signInByEmail(app, email, deviceToken)), email }
    },
    async confirm(visitor: Visitor, purpose: 'export' | 'recovery' | 'move' | 'deletePrevious' | 'delete') {
      clock.at += 60_000
      const { needsCode } = await succeed(app, 'confirm', { purpose }, sessionOf(visitor))
      if (!needsCode) throw new Error('A code expected')
      return codeIn(app, visitor.email)
    },
    async changeAddress(visitor: Visitor, email: string) {
      clock.at += 60_000
      const session = sessionOf(visitor)
      await succeed(app, 'emailChange', { email }, session)
      await succeed(app, 'emailChangePrimary', { otp: codeIn(app, visitor.email) }, session)
      await succeed(app, 'emailChangeSecondary', { otp: codeIn(app, email) }, session)
    },
  })
}
