import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/platform/db/schema.ts',
    './src/platform/db/wallet-schema.ts',
    './src/platform/db/money-schema.ts',
    './src/platform/db/siwx-schema.ts',
    './src/platform/db/admin-schema.ts',
  ],
  out: './drizzle',
})
