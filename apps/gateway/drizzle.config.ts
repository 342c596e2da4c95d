import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/db/schema.ts',
    './src/db/wallet-schema.ts',
    './src/db/money-schema.ts',
    './src/db/siwx-schema.ts',
    './src/db/admin-schema.ts',
  ],
  out: './drizzle',
})
