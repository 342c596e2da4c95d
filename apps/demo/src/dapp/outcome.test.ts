import { expect, test } from 'vitest'
import { attempt, type Outcome } from './outcome'

async function reportsOf(action: Parameters<typeof attempt>[2]): Promise<Outcome[]> {
  const reports: Outcome[] = []
  await attempt((outcome) => reports.push(outcome), 'Waiting', action)
  return reports
}

test('reports that it is waiting, then the result', async () => {
  const done: Outcome = { kind: 'done', text: 'Signed', lines: [] }
  expect(await reportsOf(async (report) => report(done))).toEqual([{ kind: 'busy', text: 'Waiting', lines: [] }, done])
})

test.each([
  [{ code: 4001, message: 'User rejected' }, 'note', 'You declined. Nothing was signed or sent.', '4001'],
  [{ code: 'USER_REJECTED', message: 'x' }, 'note', 'You declined. Nothing was signed or sent.', 'USER_REJECTED'],
  [{ code: -32603, reason: 'INTERNAL', message: 'out of gas' }, 'failed', 'out of gas', '-32603 · INTERNAL'],
])('reports the failure %j as text with its code', async (cause, kind, text, code) => {
  const reports = await reportsOf(() => Promise.reject(cause))
  expect(reports.at(-1)).toEqual({ kind, text, lines: [{ label: 'Code', value: code }] })
})

test('reports a thrown value that is not an error', async () => {
  const reports = await reportsOf(() => Promise.reject(undefined))
  expect(reports.at(-1)).toEqual({ kind: 'failed', text: 'Something went wrong.', lines: [] })
})
