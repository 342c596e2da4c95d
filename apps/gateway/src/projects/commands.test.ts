import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CommandError } from '../platform/command-error'
import type { Database } from '../platform/db/open'
import { projects } from '../platform/db/schema'
import { databases } from '../testing/databases'
import { runCommand } from './commands'
import { connectControl, serveControl } from './control'
import { isAllowed, ProjectInput } from './project'
import { signInNetworks } from './sign-in-networks'
import { createProjectStore, type ProjectStore, seedProjects, warnOfDefaultAncestors } from './store'

describe.each(databases)('projects on $kind', ({ open }) => {
  let database: Database
  let store: ProjectStore
  let now = 0
  beforeAll(async () => {
    database = await open()
    store = createProjectStore(database, () => now)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1)
    for (const { id } of await store.list()) await store.remove(id)
  })

  let ids = 0
  const run = (...words: string[]) =>
    runCommand(
      ['project', ...words],
      async () => store,
      () => `made-${++ids}`,
      signInNetworks([]),
    )

  test('add creates a project with the defaults of the specification', async () => {
    const printed = await run(
      'add',
      '--name',
      'My dapp',
      '--id',
      'mine',
      '--origin',
      'https://App.example.com',
      '--json',
    )
    expect(JSON.parse(printed)).toEqual({
      id: 'mine',
      name: 'My dapp',
      allowedOrigins: ['https://app.example.com'],
      defaultAncestors: true,
      features: {},
      analytics: { enabled: true, consent: true, addresses: false },
      analyticsDays: null,
      walletConnect: null,
      signInChains: null,
      recoveryWaitHours: 0,
      recovery: 'any',
      recoveryChoice: 'later',
      approvals: { place: 'auto', windowAboveUsd: null, trustedOrigins: [] },
      mail: { sender: null, replyTo: null, brand: null, color: null, footer: null },
      mailTexts: {},
      look: {},
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    })
    expect(await store.find('mine')).toEqual(JSON.parse(printed))
  })

  test('add generates and prints an id if none is given', async () => {
    expect(await run('add', '--name', 'My dapp')).toMatch(/^made-\d+ {2}My dapp\n/)
  })

  test('add accepts several origins and flags, and can exclude development hosts', async () => {
    await run(
      ...['add', '--name', 'Live', '--id', 'live', '--no-default-ancestors', '--origin', 'https://a.example'],
      ...['--origin', 'https://*.b.example', '--feature', 'swaps=off', '--feature', 'socials=google,github'],
    )
    expect(await store.find('live')).toMatchObject({
      allowedOrigins: ['https://a.example', 'https://*.b.example'],
      defaultAncestors: false,
      features: { swaps: false, socials: ['google', 'github'] },
    })
    expect(await run('show', 'live')).toContain('swaps off, socials google+github')
  })

  test('add and update accept the recovery settings, and refuse other words', async () => {
    await run('add', '--name', 'Bank', '--id', 'bank', '--recovery', 'hardened')
    expect(await store.find('bank')).toMatchObject({ recovery: 'hardened', recoveryChoice: 'later' })
    expect(await run('show', 'bank')).toContain('passkey or passphrase, chosen first')
    await run('update', 'bank', '--recovery', 'any', '--recovery-choice', 'first')
    expect(await run('show', 'bank')).toContain('any method, chosen first')
    await expect(run('update', 'bank', '--recovery', 'none')).rejects.toThrow('recovery')
  })

  test('update changes only the given fields', async () => {
    await run('add', '--name', 'One', '--id', 'one', '--origin', 'https://a.example', '--feature', 'swaps=off')
    now += 60_000
    await run('update', 'one', '--add-origin', 'https://b.example', '--feature', 'pay=on')
    expect(await store.find('one')).toMatchObject({
      name: 'One',
      allowedOrigins: ['https://a.example', 'https://b.example'],
      features: { swaps: false, pay: true },
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:01:00.000Z',
    })
    await run('update', 'one', '--remove-origin', 'https://a.example', '--no-default-ancestors')
    expect(await store.find('one')).toMatchObject({ allowedOrigins: ['https://b.example'], defaultAncestors: false })
    await run('update', 'one', '--origin', 'https://c.example', '--default-ancestors', '--name', 'Two')
    expect(await store.find('one')).toMatchObject({
      name: 'Two',
      allowedOrigins: ['https://c.example'],
      defaultAncestors: true,
    })
  })

  test('origins are added to the list and taken from it, each once', async () => {
    await run(
      'add',
      '--name',
      'One',
      '--id',
      'one',
      '--origin',
      'https://a.example',
      '--add-origin',
      'https://b.example',
    )
    await run('update', 'one', '--add-origin', 'https://b.example', '--remove-origin', 'https://a.example')
    expect(await store.find('one')).toMatchObject({ allowedOrigins: ['https://b.example'] })
    await expect(run('update', 'one', '--remove-origin', 'https://a.example')).rejects.toThrow(
      'https://a.example is not among the origins: https://b.example',
    )
  })

  test('--wallet-connect sets and removes the WalletConnect project id', async () => {
    await run('add', '--name', 'One', '--id', 'one', '--wallet-connect', 'c0ffee')
    expect(await store.find('one')).toMatchObject({ walletConnect: 'c0ffee' })
    expect(await run('update', 'one', '--name', 'Two')).toContain('wallet connect     c0ffee')
    expect(await run('update', 'one', '--wallet-connect', 'off')).toContain('wallet connect     off')
    expect(await store.find('one')).toMatchObject({ name: 'Two', walletConnect: null })
  })

  test('--recovery-wait-hours sets how long new devices wait', async () => {
    expect(await run('add', '--name', 'One', '--id', 'waits', '--recovery-wait-hours', '24')).toContain('24 h')
    expect(await store.find('waits')).toMatchObject({ recoveryWaitHours: 24 })
    await run('update', 'waits', '--recovery-wait-hours', '0')
    expect(await store.find('waits')).toMatchObject({ recoveryWaitHours: 0 })
  })

  test('--sign-in-chain sets the chains for sign-in, and resets them', async () => {
    await run('add', '--name', 'One', '--id', 'one', '--sign-in-chain', 'eip155:1', '--sign-in-chain', 'eip155:8453')
    expect(await store.find('one')).toMatchObject({ signInChains: ['eip155:1', 'eip155:8453'] })
    expect(await run('update', 'one', '--name', 'Two')).toContain('sign-in chains     eip155:1, eip155:8453')
    await run('update', 'one', '--sign-in-chain', 'eip155:10', '--sign-in-chain', 'eip155:10')
    expect(await store.find('one')).toMatchObject({ name: 'Two', signInChains: ['eip155:10'] })
    expect(await run('update', 'one', '--sign-in-chain', 'all')).toContain(
      'sign-in chains     all that the gateway knows',
    )
    expect(await store.find('one')).toMatchObject({ signInChains: null })
    await expect(
      run('update', 'one', '--sign-in-chain', 'eip155:1', '--sign-in-chain', 'eip155:31337'),
    ).rejects.toThrow('--sign-in-chain: eip155:31337 is no network of this gateway, so no user could sign in there')
    expect(await store.find('one')).toMatchObject({ signInChains: null })
  })

  test('--approvals flags change one setting each', async () => {
    await run('add', '--name', 'One', '--id', 'one', '--approvals-window-above', '250.50')
    expect(await store.find('one')).toMatchObject({
      approvals: { place: 'auto', windowAboveUsd: 250.5, trustedOrigins: [] },
    })
    const printed = await run('update', 'one', '--trust-origin', 'https://App.example.com/')
    expect(printed).toContain(
      "approvals          in the page if little can be lost, above 250.5 US dollars in the wallet's window, trusted: https://app.example.com",
    )
    expect(await run('update', 'one', '--approvals', 'window')).toContain("approvals          in the wallet's window")
    await run('update', 'one', '--approvals', 'auto', '--approvals-window-above', 'off', '--trust-origin', 'none')
    expect(await store.find('one')).toMatchObject({
      approvals: { place: 'auto', windowAboveUsd: null, trustedOrigins: [] },
    })
  })

  test.each([
    [['--approvals', 'frame'], /place/],
    [['--approvals-window-above=-1'], /US dollars/],
    [['--approvals-window-above', '1e3'], /US dollars/],
    [['--trust-origin', 'https://*.example.com'], /wildcard/],
    [['--trust-origin', 'nonsense'], /is not an origin/],
    [['--trust-origin', 'none', '--trust-origin', 'https://a.example'], /goes without others/],
  ])('rejects %j', async (words, message) => {
    await run('add', '--name', 'One', '--id', 'one')
    await expect(run('update', 'one', ...words)).rejects.toThrow(message)
  })

  test('--analytics flags change one setting each', async () => {
    await run('add', '--name', 'One', '--id', 'one', '--analytics-consent', 'off')
    expect(await store.find('one')).toMatchObject({ analytics: { enabled: true, consent: false, addresses: false } })
    await run('update', 'one', '--analytics-consent', 'on')
    const printed = await run('update', 'one', '--analytics-addresses', 'on')
    expect(printed).toContain('analytics          on, after consent, with addresses')
    expect(await store.find('one')).toMatchObject({ analytics: { enabled: true, consent: true, addresses: true } })
    expect(await run('update', 'one', '--analytics-days', '7')).toContain('with addresses, 7 days')
    expect(await store.find('one')).toMatchObject({ analytics: { consent: true }, analyticsDays: 7 })
    await run('update', 'one', '--analytics-days', 'default')
    expect(await store.find('one')).toMatchObject({ analytics: { consent: true }, analyticsDays: null })
    expect(await run('update', 'one', '--analytics', 'off')).toContain('analytics          off')
    expect(await store.find('one')).toMatchObject({ analytics: { enabled: false, consent: true, addresses: true } })
  })

  test('--mail flags change one setting each', async () => {
    expect(await run('add', '--name', 'One', '--id', 'one')).toContain('emails             as the gateway sends them')
    await run('update', 'one', '--mail-sender', 'Example Shop', '--mail-color', '#0d756d')
    const printed = await run('update', 'one', '--mail-footer', 'Questions? help@shop.example')
    expect(printed).toContain('sender Example Shop, color #0d756d, footer Questions? help@shop.example')
    await run('update', 'one', '--mail-sender', 'off')
    expect(await store.find('one')).toMatchObject({ mail: { sender: null, color: '#0d756d', replyTo: null } })
  })

  test('--mail-text changes one line of one language', async () => {
    await run('add', '--name', 'One', '--id', 'one', '--mail-text', 'en.intro=Welcome.', '--mail-footer', 'Help: a=b')
    const printed = await run('update', 'one', '--mail-text', 'de.intro=Hallo, a=b.', '--mail-text', 'de.footer=Hilfe?')
    expect(printed).toContain('footer Help: a=b, de intro Hallo, a=b., de footer Hilfe?, en intro Welcome.\n')
    expect(await store.find('one')).toMatchObject({ mail: { footer: 'Help: a=b' } })
    await run('update', 'one', '--mail-text', 'de.intro=off', '--mail-text', 'zh-Hant.intro=歡迎。')
    const left = { de: { footer: 'Hilfe?' }, en: { intro: 'Welcome.' }, 'zh-Hant': { intro: '歡迎。' } }
    expect((await store.find('one'))?.mailTexts).toEqual(left)
    await run('update', 'one', '--mail-text', 'de.footer=off', '--mail-text', 'zh-Hant.intro=off')
    expect((await store.find('one'))?.mailTexts).toEqual({ en: { intro: 'Welcome.' } })
  })

  test('--look changes one part of the look', async () => {
    expect(await run('add', '--name', 'One', '--id', 'one')).toContain('look               as the dapp configures')
    await run('update', 'one', '--look', 'accent=#0d756d', '--look', 'radius=0.5', '--look', 'font=Georgia, serif')
    expect(await run('update', 'one', '--look', 'radius=off')).toContain('accent #0d756d, font Georgia, serif\n')
    expect((await store.find('one'))?.look).toEqual({ accent: '#0d756d', font: 'Georgia, serif' })
    await run('add', '--name', 'Two', '--id', 'two', '--look', 'mix=#3344ff', '--look', 'mixStrength=10')
    expect((await store.find('two'))?.look).toEqual({ mix: '#3344ff', mixStrength: 10 })
  })

  test.each([
    ['--look', 'accent', /as accent=#0d756d/],
    ['--look', 'accent=red', /look\.accent: must be a color such as #0d756d/],
    ['--look', 'accent=var(--text-1)', /look\.accent/],
    ['--look', 'radius=3', /look\.radius: must be 0 to 2/],
    ['--look', 'radius=round', /look\.radius/],
    ['--look', "font=x'; }", /look\.font: must be names of fonts/],
    ['--look', 'mode=dark', /look.*mode/],
    ['--look', '__proto__=1', /look|as accent/],
    ['--mail-text', 'intro=Hello', /as de\.intro=Text/],
    ['--mail-text', '__proto__.intro=Hello', /as de\.intro=Text/],
    ['--mail-text', 'constructor.intro=Hello', /mailTexts/],
    ['--mail-text', 'de-AT.intro=Hallo', /mailTexts/],
    ['--mail-text', 'de.subject=Hallo', /mailTexts\.de.*subject/],
    ['--mail-text', 'de.intro=two\nlines', /mailTexts\.de\.intro: must be one line/],
    ['--mail-text', 'de.footer=123456', /mailTexts\.de\.footer: .*six digits/],
    ['--mail-text', 'de.footer=', /mailTexts\.de\.footer: must not be empty/],
    ['--mail-sender', 'two\nlines', /one line/],
    ['--mail-brand', 'left\u202eright', /invisible/],
    ['--mail-footer', 'Your code is 123456', /six digits/],
    ['--mail-brand', 'x'.repeat(65), /64 characters/],
    ['--mail-color', 'red', /such as #0d756d/],
    ['--mail-reply-to', 'help', /an email address/],
    ['--analytics-days', '0', /at least 1/],
    ['--analytics-days', 'week', /whole number/],
  ])('%s %j is refused', async (flag, value, message) => {
    await expect(run('add', '--name', 'x', flag, value)).rejects.toThrow(message)
  })

  test('list, show and remove', async () => {
    expect(await run('list')).toBe('No projects yet.')
    await run('add', '--name', 'B', '--id', 'b')
    await run('add', '--name', 'A', '--id', 'a')
    expect(JSON.parse(await run('list', '--json'))).toMatchObject([{ id: 'a' }, { id: 'b' }])
    expect(await run('remove', 'a')).toBe('Removed a.')
    await expect(run('show', 'a')).rejects.toThrow('There is no project "a"')
  })

  test('remove does not reach the store, which writes the audit log, with what is no project', async () => {
    const removed: string[] = []
    const audited = { ...store, remove: async (id: string) => removed.push(id) > 0 }
    const words = ['project', 'remove', 'ada@example.com']
    const removing = runCommand(
      words,
      async () => audited,
      () => '',
      signInNetworks([]),
    )
    await expect(removing).rejects.toThrow('There is no project "ada@example.com"')
    expect(removed).toEqual([])
  })

  test.each<[string, string[], RegExp]>([
    ['no name', ['add'], /--name is missing/],
    ['an empty name', ['add', '--name', ' '], /name: must not be empty/],
    ['an id with a space', ['add', '--name', 'x', '--id', 'a b'], /id: must be 1 to 64/],
    ['a path for an origin', ['add', '--name', 'x', '--origin', 'https://a.example/path'], /is not an origin/],
    ['no scheme', ['add', '--name', 'x', '--origin', 'a.example'], /"a.example" is not an origin/],
    ['everything for an origin', ['add', '--name', 'x', '--origin', '*'], /is not an origin/],
    ['an opaque origin', ['add', '--name', 'x', '--origin', 'null'], /is not an origin/],
    ['an unknown flag', ['add', '--name', 'x', '--feature', 'teleport=on'], /features/],
    ['a flag that is neither on nor off', ['add', '--name', 'x', '--feature', 'swaps=maybe'], /swaps is on or off/],
    ['analytics that are neither on nor off', ['add', '--name', 'x', '--analytics', 'maybe'], /--analytics is on or/],
    ['an unknown option', ['add', '--name', 'x', '--colour'], /--colour/],
    ['an invalid WalletConnect id', ['add', '--name', 'x', '--wallet-connect', 'a b'], /walletConnect: must be/],
    [
      'a wait in part hours',
      ['add', '--name', 'x', '--recovery-wait-hours', '1.5'],
      /recoveryWaitHours: must be a whole number/,
    ],
    ['too long a wait', ['add', '--name', 'x', '--recovery-wait-hours', '721'], /at most 720/],
    ['an invalid chain', ['add', '--name', 'x', '--sign-in-chain', 'ethereum'], /must be a chain such as/],
    [
      'all chains and one',
      ['add', '--name', 'x', '--sign-in-chain', 'all', '--sign-in-chain', 'eip155:1'],
      /all goes without others/,
    ],
    ['update of an unknown project', ['update', 'unknown', '--name', 'x'], /There is no project "unknown"/],
    ['update without an id', ['update', '--name', 'x'], /update needs the id/],
    ['remove of an unknown project', ['remove', 'unknown'], /There is no project "unknown"/],
    ['another command', ['rename', 'x'], /There is no command "rename"/],
    ['no command', [], /^Usage/],
  ])('%s is refused in words', async (_, words, message) => {
    await expect(run(...words)).rejects.toThrow(CommandError)
    await expect(run(...words)).rejects.toThrow(message)
    expect(await store.list()).toEqual([])
  })

  test('a stored wildcard that lets strangers in, from an earlier version, allows nothing', async () => {
    await run('add', '--name', 'A', '--id', 'mine', '--origin', 'https://app.example.com')
    await database.orm.update(projects).set({ allowedOrigins: ['https://*.github.io', 'https://app.example.com'] })
    const project = await store.find('mine')
    expect(project?.allowedOrigins).toEqual(['https://app.example.com'])
    expect(project !== null && isAllowed('https://stranger.github.io', project)).toBe(false)
  })

  test('rejects a duplicate id, and an update without changes', async () => {
    await run('add', '--name', 'x', '--id', 'x')
    await expect(run('add', '--name', 'y', '--id', 'x')).rejects.toThrow('There is already a project x')
    await expect(run('update', 'x')).rejects.toThrow('Nothing to change')
  })

  test('a seed creates missing projects and never undoes a change', async () => {
    const seed = [ProjectInput.parse({ id: 'demo', name: 'Demo', walletConnect: 'c0ffee' })]
    expect(await seedProjects(store, seed)).toEqual(['demo'])
    await run('update', 'demo', '--name', 'Renamed')
    expect(await seedProjects(store, seed)).toEqual([])
    expect(await store.find('demo')).toMatchObject({ name: 'Renamed', walletConnect: 'c0ffee' })
  })

  test('in production, default ancestors are off unless the operator switches them on, and the start warns', async () => {
    const warnings: unknown[] = []
    const live = createProjectStore(database, () => now, { defaultAncestors: false })
    await seedProjects(live, [ProjectInput.parse({ id: 'quiet', name: 'Quiet' })])
    const preview = 'https://anyone.vercel.app'
    const allows = async (id: string) => {
      const project = await live.find(id)
      return project !== null && isAllowed(preview, project)
    }
    expect(await allows('quiet')).toBe(false)
    await warnOfDefaultAncestors(live, { warn: (...line: unknown[]) => void warnings.push(line) })
    expect(warnings).toEqual([])
    await live.add(ProjectInput.parse({ id: 'open', name: 'Open', defaultAncestors: true }))
    expect(await allows('open')).toBe(true)
    await warnOfDefaultAncestors(live, { warn: (...line: unknown[]) => void warnings.push(line) })
    expect(warnings).toEqual([[{ projects: ['open'] }, expect.stringContaining('--no-default-ancestors')]])
  })

  test.each(["' or 1=1 --", '\0', '__proto__', '%', ''])('finds no project by %j', async (id) => {
    await run('add', '--name', 'x', '--id', 'x')
    expect(await store.find(id)).toBeNull()
  })

  test('the command line edits projects through a running gateway', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'postern-control-'))
    const socket = path.join(dir, 'gateway.sock')
    expect(await connectControl(socket)).toBeNull()
    const stop = await serveControl(store, socket)
    const remote = await connectControl(socket)
    if (remote === null || stop === null) throw new Error('the gateway does not answer')
    const remotely = (...words: string[]) =>
      runCommand(
        ['project', ...words],
        async () => remote,
        () => 'made',
        signInNetworks([]),
      )
    await remotely('add', '--name', 'Far', '--id', 'far', '--origin', 'https://a.example')
    await remotely('update', 'far', '--add-origin', 'https://b.example')
    expect(await store.find('far')).toMatchObject({ allowedOrigins: ['https://a.example', 'https://b.example'] })
    expect(JSON.parse(await remotely('list', '--json'))).toEqual(await store.list())
    await remotely('remove', 'far')
    expect(await remote.find('far')).toBeNull()
    await stop()
    expect(await connectControl(socket)).toBeNull()
    await rm(dir, { recursive: true })
  })
})
