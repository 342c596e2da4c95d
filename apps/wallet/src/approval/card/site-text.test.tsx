// @vitest-environment happy-dom
/** Every text that a site, a token or a contract wrote is drawn by `SiteText`, wherever an intent has it. */
import type { ApprovalRequest } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { loadEnglish } from '@postern/ui/locales/text'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Intent, IntentStep, Warning } from '../../intent/intent'
import { TestCard } from '../testing/test-card'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

/** Drawn by a browser, it covers what is above. */
const stack = `i${'\u0302\u0304'.repeat(60)}`
const amount = { raw: '5', decimals: 1, symbol: stack, token: stack }
const item = { raw: '1', tokenId: '5', symbol: stack, token: stack }
const fields = [
  { name: stack, value: stack, type: stack },
  { name: stack, value: [{ name: stack, value: stack }] },
]

const steps = {
  transfer: [
    { kind: 'transfer', to: stack, amount, withheld: amount },
    { kind: 'transfer', to: stack, amount: item },
  ],
  approve: [
    { kind: 'approve', spender: stack, amount },
    { kind: 'approve', spender: stack, amount: item },
  ],
  increase: [
    { kind: 'increase', spender: stack, amount },
    { kind: 'increase', spender: stack, amount, total: amount },
  ],
  approveAll: [{ kind: 'approveAll', spender: stack, token: stack, granted: true }],
  permit: [{ kind: 'permit', spender: stack, amount }],
  swap: [{ kind: 'swap', pay: amount, receiveAtLeast: amount, recipient: stack, contract: stack }],
  deploy: [{ kind: 'deploy' }],
  create: [{ kind: 'create', bytes: 1, value: amount }],
  call: [{ kind: 'call', contract: stack, name: stack, fields, value: amount }],
  signIn: [
    {
      kind: 'signIn',
      scheme: stack,
      domain: stack,
      account: stack,
      statement: stack,
      fields,
      grants: [
        { resource: stack, abilities: [stack] },
        { resource: stack, abilities: null },
      ],
    },
  ],
  cancel: [{ kind: 'cancel', cancelled: [{ kind: 'transfer', to: stack, amount }] }],
  message: [
    { kind: 'message', text: `${stack}\n${stack}`, isText: true },
    { kind: 'message', text: stack, isText: false },
  ],
  typedData: [{ kind: 'typedData', domain: fields, primaryType: stack, fields }],
  instruction: [{ kind: 'instruction', program: stack, name: stack, fields }],
  outputs: [{ kind: 'outputs', outputs: [{ to: stack, amount, own: false }], fee: amount }],
  permission: [{ kind: 'permission', action: 'grant', signer: stack, type: stack, fields, amount }],
  user: [{ kind: 'user', provider: 'email', email: stack }],
  order: [{ kind: 'order', gives: [amount, item], gets: [{ amount, to: stack }], contract: stack }],
} satisfies { [K in IntentStep['kind']]: readonly Extract<IntentStep, { kind: K }>[] }

/** Those that have a text besides a kind. */
const facts = {
  domainMismatch: { domain: stack, origin: stack },
  otherUri: { uri: stack, origin: stack },
  otherNetwork: { chainId: stack },
  derivesKey: {},
  otherAccount: { named: stack, signer: stack },
  wouldFail: { reason: stack },
  givesControl: { to: stack },
  unlimitedApproval: { spender: stack },
  coversBalance: { spender: stack },
  approvesAll: { spender: stack },
  hiddenApproval: { spender: stack },
  unknownTotal: { spender: stack },
  unknownContract: { contract: stack },
  firstTimeRecipient: { recipient: stack },
  lookalikeRecipient: { recipient: stack, earlier: stack },
  unknownRecipient: { recipient: stack },
  anyoneCanSpend: { recipient: stack },
  mayCarryCollectible: {},
  amountOrItem: { token: stack },
  notDecoded: { contract: stack },
  pagePaymaster: { paymaster: stack },
  givesForNothing: {},
  givesAnyItem: {},
  everyNetwork: {},
  unreadSignIn: {},
  longExpiry: { expiry: 1 },
  neverExpires: {},
  unprovenInput: {},
  unusualSighash: {},
  highFee: {},
  unknownFee: {},
  lockedUntil: { time: 1 },
  unreadCode: {},
  tooLong: { more: 1 },
  signInGrants: {},
  speedUp: {},
  cancel: {},
  ownFee: {},
  lowMinimum: {},
} satisfies { [K in Warning['kind']]: Omit<Extract<Warning, { kind: K }>, 'kind'> }
const warnings = Object.entries(facts).map(([kind, more]) => ({ kind, ...more }) as Warning)

beforeAll(loadEnglish)

const request = approvalRequest(
  { kind: 'eip155.message', address: `0x${'1'.repeat(40)}`, account: 'eoa', message: '0x68656c6c6f' },
  { method: 'personal_sign', origin: stack },
)

/** Texts with three marks or more on one letter, outside of `SiteText` and of form fields, which clip. */
async function stacksIn(
  intent: Partial<Intent>,
  subject: ApprovalRequest['subject'] = request.subject,
): Promise<{ readonly drawn: number; readonly loose: readonly string[] }> {
  const place = document.createElement('div')
  const root = createRoot(place)
  await act(async () =>
    root.render(
      <TestCard
        request={{ ...request, subject }}
        intent={{
          steps: [],
          warnings: [],
          fee: { amount, sponsored: false },
          changes: { kind: 'unknown' },
          raw: [],
          ...intent,
        }}
        network={stack}
        dappName={stack}
      />,
    ),
  )
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  const texts: Node[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) texts.push(node)
  const stacked = texts.filter(({ textContent }) => /\p{M}{3}|⟨U\+0302⟩/u.test(textContent ?? ''))
  const loose = stacked.filter(({ parentElement }) => parentElement?.closest('[data-site-text], textarea') === null)
  await act(async () => root.unmount())
  return { drawn: stacked.length, loose: loose.map(({ parentElement }) => parentElement?.outerHTML ?? '') }
}

it.each(Object.entries(steps))('a step: %s', async (kind, given) => {
  for (const step of given) {
    const { drawn, loose } = await stacksIn({ steps: [step, step] })
    expect(loose).toEqual([])
    if (kind !== 'deploy') expect(drawn).toBeGreaterThan(1)
    expect((await stacksIn({ steps: [step] })).loose).toEqual([])
  }
})

it('every warning, balance changes and raw bytes', async () => {
  const { drawn, loose } = await stacksIn({
    warnings,
    changes: {
      kind: 'known',
      changes: [
        { direction: 'in', amount },
        { direction: 'out', amount: item },
      ],
    },
    raw: [{ name: 'Data', text: stack }],
  })
  expect(loose).toEqual([])
  expect(drawn).toBeGreaterThan(12)
})

it('a request that no network let prepare', async () => {
  const { drawn, loose } = await stacksIn({}, { kind: 'unprepared', sends: true })
  expect(loose).toEqual([])
  expect(drawn).toBeGreaterThan(1)
})
