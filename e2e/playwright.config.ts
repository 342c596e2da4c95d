import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions, type StorageMode } from './support/chromium'
import { firefoxOptions } from './support/firefox'

/** How Chromium treats storage of a cross-site frame. */
const project = (storageMode: StorageMode) => ({
  name: `storage-${storageMode}`,
  use: {
    storageMode,
    launchOptions: chromiumLaunchOptions(storageMode),
  },
})

const firefox = (storageMode: StorageMode) => ({
  use: {
    storageMode,
    browserName: 'firefox' as const,
    channel: 'moz-firefox',
    launchOptions: firefoxOptions(storageMode),
  },
})

const webkitTests = 'webkit.spec.ts'

/** Only what `--project` or `--all` names: the commands install their browsers first. */
const otherEngines = [
  { name: 'firefox', ...firefox('allowed'), grep: /@engines/, grepInvert: /@denied/ },
  { name: 'firefox-denied', ...firefox('denied'), grep: /@engines.*@storage/ },
  { name: 'webkit', testMatch: webkitTests, testIgnore: [], use: project('allowed').use, grep: /@engines/ },
].filter(({ name }) => process.env.POSTERN_ENGINES?.split(',').includes(name))

export default defineConfig<object, { storageMode: StorageMode }>({
  testDir: '.',
  testMatch: '*.spec.ts',
  testIgnore: webkitTests,
  outputDir: '../.postern/e2e',
  globalSetup: './support/global-setup.ts',
  workers: 3,
  fullyParallel: true,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // For slow machines: tests wait for events, not for time.
  timeout: 480_000,
  expect: { timeout: 20_000 },
  // The page has the screenshots of the attacks on approvals.
  reporter: [['list'], ['html', { open: 'never', outputFolder: '../.postern/e2e-report' }]],
  use: {
    baseURL: 'http://demo.localhost:4500',
    locale: 'en-US',
    // A GPU's work is done by the CPU: a fifth less than at 1280 by 800.
    viewport: { width: 800, height: 640 },
    // They slow down the tested pages.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    // Without a GPU, a spinner over a blurred page takes a third of the CPU. One test runs with motion.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    actionTimeout: 30_000,
  },
  projects: [
    // Chromium as Debian ships it gives a cross-site frame storage of its own.
    { ...project('allowed'), grepInvert: /@denied/ },
    // Other browsers deny it: what touches storage runs in both modes, what is about its absence only here. `npm test` runs
    // the former once: a second browser, gateway and visit for each took an eighth of its time.
    { ...project('denied'), grep: process.env.POSTERN_TIER === 'main' ? /@denied/ : /@storage|@denied/ },
    ...otherEngines,
  ],
})
