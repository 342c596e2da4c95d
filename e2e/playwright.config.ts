import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions, type StorageMode } from './support/chromium'

/** One project for each way in which Chromium treats storage of a cross-site frame. */
const project = (storageMode: StorageMode) => ({
  name: `storage-${storageMode}`,
  use: {
    storageMode,
    launchOptions: chromiumLaunchOptions(storageMode),
  },
})

export default defineConfig<object, { storageMode: StorageMode }>({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../.postern/e2e',
  globalSetup: './support/global-setup.ts',
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // For machines that are much slower than they should be: what is waited for is an event, and comes when it comes.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    baseURL: 'http://demo.localhost:4500',
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    // Without pictures and snapshots of every step: they take time from the pages that are tested.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    // Where no graphics card draws, a spinner over a blurred page is a third of the processor. One story runs with motion.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    actionTimeout: 30_000,
  },
  projects: [
    // Every test runs with partitioned storage, in the headless shell;
    { ...project('allowed'), grepInvert: /@denied/ },
    // what touches storage runs a second time in the whole browser, where the frame may store nothing.
    { ...project('denied'), grep: /@storage|@denied/ },
  ],
})
