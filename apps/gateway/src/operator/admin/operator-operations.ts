/** The admin API's operations on operators and their sessions. */
import * as z from 'zod/mini'
import { problem } from '../../platform/http/problem'
import { languages } from '../../projects/mail/text'
import { type AdminOperation, Done, done, operation } from './operation'
import { Role } from './role'

/** The audit log has it. */
const SignOutOperator = z.strictObject({
  who: z.string().check(z.regex(/^[^\p{C}]{1,320}$/u, 'must be a subject or email address')),
})
const Ended = z.strictObject({ ended: z.int() })
const OperatorSession = z.strictObject({
  id: z.string(),
  /** As the audit log names them. */
  operator: z.string(),
  role: Role,
  signedInAt: z.string(),
  expiresAt: z.string(),
  /** The caller's own. */
  isThis: z.boolean(),
})
const Me = z.strictObject({
  name: z.string(),
  role: Role,
  modalOrigin: z.string(),
  /** Of the emails. */
  mailLanguages: z.array(z.string()),
  openId: z.boolean(),
})

export const operatorOperations: readonly AdminOperation[] = [
  {
    method: 'get',
    path: '/me',
    summary: 'The operator of the token',
    role: 'viewer',
    response: Me,
    run: async ({ modalOrigin, operatorSessions }, { operator: { name, role } }) => ({
      name,
      role,
      modalOrigin,
      mailLanguages: languages,
      openId: operatorSessions !== null,
    }),
  },
  {
    method: 'post',
    path: '/sign-out',
    summary: 'Ends the session of the token. A token of the settings stays valid',
    role: 'viewer',
    response: Done,
    async run({ audit, operatorSessions }, { operator: { name, sessionId } }) {
      if (sessionId === null || operatorSessions === null) return done
      await audit.write({ actor: name, action: 'operator.sign-out', target: null, detail: null })
      await operatorSessions.end(sessionId)
      return done
    },
  },
  operation({
    method: 'post',
    path: '/operators/sign-out',
    summary:
      'Ends all sessions of an operator who signed in at the provider, by subject, email address or both. 404 if none is open',
    role: 'admin',
    body: SignOutOperator,
    response: Ended,
    async run({ audit, operatorSessions }, { operator, body: { who } }) {
      if (operatorSessions === null) throw tokensOnly()
      await audit.write({ actor: operator.name, action: 'operator.end-sessions', target: null, detail: who })
      const ended = await operatorSessions.endAllOf(who)
      if (ended === 0) throw problem(404, 'who', 'No session is open under this name. List the open sessions')
      return { ended }
    },
  }),
  {
    method: 'get',
    path: '/operators/sessions',
    summary: 'Open sessions of operators who signed in at the provider, newest first',
    role: 'admin',
    response: z.array(OperatorSession),
    async run({ operatorSessions }, { operator: { sessionId } }) {
      const open = (await operatorSessions?.list()) ?? []
      return open.map((session) => ({ ...session, isThis: session.id === sessionId }))
    },
  },
  {
    method: 'delete',
    path: '/operators/sessions/{id}',
    summary: 'Ends a session of an operator',
    role: 'admin',
    response: Ended,
    async run({ audit, operatorSessions }, { operator, id }) {
      if (operatorSessions === null) throw tokensOnly()
      const session = (await operatorSessions.list()).find((open) => open.id === id)
      if (session === undefined) throw problem(404, 'session', 'This session is not open')
      await audit.write({
        actor: operator.name,
        action: 'operator.end-session',
        target: null,
        detail: session.operator,
      })
      await operatorSessions.end(id)
      return { ended: 1 }
    },
  },
]

function tokensOnly() {
  return problem(404, 'oidc', 'This gateway has tokens only')
}
