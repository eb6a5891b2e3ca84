import type { Plant } from "./plant.ts";
import { platformFaults } from "./platform-faults.ts";
import { productFaults } from "./product-faults.ts";

export const plants: readonly Plant[] = [...platformFaults, ...productFaults];
