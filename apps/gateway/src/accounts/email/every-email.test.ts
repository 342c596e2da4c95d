/**
 * Each email of the product, and what its button "This was not me" does for an owner whose attacker was first: by the time
 * the owner presses, the attacker has used what the email is about, and has moved the account to an address of their own.
 */
import { describe, expect, test } from 'vitest'
import { approve, call, codeIn, linkIn, newToken, notMeIn, pressNotMe, succeed } from '../../testing/sign-in'
import { sessionOf as of, sharedGateway, type Visitor } from '../../testing/visitors'
import { newWallet } from '../../testing/wallet'
import * as messages from '../mail/messages'

const gateway = await sharedGateway()
const { app, signIn, confirm, changeAddress } = gateway
const day = 24 * 60 * 60_000
const origin = 'https://app.example.com'
let count = 0

/** An owner of some weeks, and a reader of the owner's mail who signs in. */
async function begin() {
  const owner = await signIn()
  const wallet = newWallet()
  const shares = await wallet.split('create', owner.user.id)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, of(owner))
  gateway.at += 20 * day
  app.mails.length = 0
  return { owner, stolen: `thief${++count}@example.com` }
}

type Attack = Awaited<ReturnType<typeof begin>>
type EmailName =
  | messages.CodePurpose
  | 'device link'
  | 'recovery'
  | 'recovery, waiting'
  | 'address changed, to the old one'
  | 'address changed, to the new one'

/** What the owner sees after the press. */
const isBack = 'The account has its former address again'
const isFrozen = 'The account is frozen'
const isGivenBack = 'The account no longer uses your address'

/** Whether the owner, or the reader of the new address, has the email, and how the attacker brought it about. */
type Scenario = {
  readonly of: 'owner' | 'reader of the new address'
  readonly shows: string
  /** The attacker signs in on a device of their own, or acts through a page on the owner's device. */
  readonly on: 'own device' | 'owner’s device'
  /** Returns the link of the email. */
  readonly attack: (attack: Attack, attacker: Visitor) => Promise<string>
}

const confirmation = (
  purpose: 'export' | 'recovery' | 'move' | 'deletePrevious' | 'delete',
  on: Scenario['on'],
): Scenario => ({
  of: 'owner',
  shows: on === 'own device' ? isBack : isFrozen,
  on,
  async attack({ owner, stolen }, attacker) {
    await confirm(attacker, purpose)
    const link = notMeIn(app, owner.email)
    await changeAddress(attacker, stolen)
    return link
  },
})

/** The newest email with the subject before the account moves. */
const beforeTheMove = (subject: string): Scenario => ({
  of: 'owner',
  shows: isBack,
  on: 'own device',
  async attack({ owner, stolen }, attacker) {
    const mails = app.mails.filter((mail) => mail.subject === subject)
    const link = notMeIn({ mails }, owner.email)
    await changeAddress(attacker, stolen)
    return link
  },
})

const recovering = (hours: number): Scenario => ({
  of: 'owner',
  shows: isBack,
  on: 'own device',
  async attack({ owner, stolen }, attacker) {
    await app.projects.update('demo', { recoveryWaitHours: hours })
    await call(app, 'recover', {}, of(attacker))
    await app.projects.update('demo', { recoveryWaitHours: 0 })
    const link = notMeIn(app, owner.email)
    await changeAddress(attacker, stolen)
    return link
  },
})

/** An email of the change itself, after the account has moved. */
const ofTheChange = (subject: string, on: Scenario['on'], reader: Scenario['of']): Scenario => ({
  of: reader,
  shows: reader !== 'owner' ? isGivenBack : on === 'own device' ? isBack : isFrozen,
  on,
  async attack({ owner, stolen }, attacker) {
    await changeAddress(attacker, stolen)
    const mails = app.mails.filter((mail) => mail.subject === subject)
    return notMeIn({ mails }, reader === 'owner' ? owner.email : stolen)
  },
})

const byBoth = (scenario: (on: Scenario['on']) => Scenario): readonly Scenario[] => [
  scenario('own device'),
  scenario('owner’s device'),
]

const scenarios: Readonly<Record<EmailName, readonly Scenario[]>> = {
  'sign-in': [beforeTheMove('Your sign-in code')],
  'device link': [beforeTheMove('Approve a new device')],
  export: byBoth((on) => confirmation('export', on)),
  recovery: [...byBoth((on) => confirmation('recovery', on)), recovering(0)],
  'recovery, waiting': [recovering(24)],
  move: byBoth((on) => confirmation('move', on)),
  deletePrevious: byBoth((on) => confirmation('deletePrevious', on)),
  delete: byBoth((on) => confirmation('delete', on)),
  'email-primary': byBoth((on) => ofTheChange('Your code to change your email', on, 'owner')),
  'email-secondary': byBoth((on) => ofTheChange('Confirm your new email', on, 'reader of the new address')),
  'address changed, to the old one': byBoth((on) => ofTheChange('Your email address was changed', on, 'owner')),
  'address changed, to the new one': byBoth((on) =>
    ofTheChange('Your email address was changed', on, 'reader of the new address'),
  ),
}

const rows = Object.entries(scenarios).flatMap(([name, list]) => list.map((scenario) => ({ name, ...scenario })))

describe('the button of every email, for an owner whose attacker was first', () => {
  test('the table has every email', () => {
    const made = Object.keys(messages).filter((name) => name.endsWith('Mail'))
    expect(made.toSorted()).toEqual(['addressChangedMail', 'codeMail', 'deviceMail', 'recoveryMail'])
  })

  test.each(rows)(
    '$name: the attacker on the $on moved the account; the $of presses',
    async ({ on, shows, attack }) => {
      const begun = await begin()
      const { owner, stolen } = begun
      const attacker = on === 'own device' ? await signIn(owner.email) : owner
      const link = await attack(begun, attacker)
      const second = await signIn(stolen)
      expect((await call(app, 'recover', {}, of(second))).status).toBe(200)

      expect(await (await pressNotMe(app, link)).text()).toContain(shows)

      // What came by the new address is out, and so is the attacker's device. The owner's stays.
      expect((await call(app, 'session', {}, of(second))).failure).toBe('DEVICE_REVOKED')
      if (on === 'own device') expect((await call(app, 'session', {}, of(attacker))).failure).toBe('DEVICE_REVOKED')
      expect((await call(app, 'deviceShare', {}, of(owner))).status).toBe(200)
      await expectOut(stolen, owner)
      // The owner has the account by the old address, with the wallet.
      const back = await signIn(owner.email, owner.deviceToken)
      expect(back.user).toEqual(owner.user)
      expect((await call(app, 'deviceShare', {}, of(back))).status).toBe(200)
      // A second press ends the device that the email is about, and nothing else.
      expect((await pressNotMe(app, link)).status).toBe(200)
    },
  )
})

/** The new address opens the account on no new device. */
async function expectOut(stolen: string, owner: Visitor): Promise<void> {
  gateway.at += 60_000
  const deviceToken = newToken()
  const { flow, action } = await succeed(app, 'email', { email: stolen, deviceToken, origin })
  if (action === 'VERIFY_DEVICE') await approve(app, linkIn(app, stolen))
  const { status, failure, json } = await call(app, 'emailVerify', { flow, otp: codeIn(app, stolen), deviceToken })
  if (status === 200) expect(JSON.stringify(json)).not.toContain(owner.user.id)
  else expect(failure).toBe('EMAIL_ON_HOLD')
}
