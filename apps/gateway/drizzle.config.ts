import { defineConfig } from 'drizzle-kit'

/** `npm run migration -w @postern/gateway` writes the next file of `drizzle/` from the schema. */
export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/db/schema.ts', './src/db/wallet-schema.ts', './src/db/money-schema.ts', './src/db/siwx-schema.ts'],
  out: './drizzle',
})
