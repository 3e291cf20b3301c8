#!/usr/bin/env -S npx tsx
import { main } from '../src/main.ts';

process.exitCode = await main(process);
