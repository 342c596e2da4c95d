import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from '../support/chromium'

/** Packed packages, installed in empty folders: `npm run kits`. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.kit.ts',
  outputDir: '../../.postern/kits/results',
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    launchOptions: chromiumLaunchOptions('allowed'),
    locale: 'en-US',
    viewport: { width: 800, height: 640 },
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    actionTimeout: 30_000,
  },
})
