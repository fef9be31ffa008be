# Two commands: `make demo` and `make test` do all their own set-up (Linux on x86-64, Python 3.10 to 3.14).
PYTHON ?= python3
VENV := .venv

# A sourced ROS 2 or another environment must not leak into ours.
CLEAN := env -u LD_LIBRARY_PATH -u _ROS_WHEELS_BOOTSTRAP_COMPLETE -u PYTHONPATH -u PYTHONHOME -u AMENT_PREFIX_PATH \
  -u COLCON_PREFIX_PATH -u CMAKE_PREFIX_PATH -u RMW_IMPLEMENTATION PYTHONNOUSERSITE=1
RUN := $(CLEAN) $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help setup demo test shutdown crash measure calibrate lint check colcon clean distclean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## everything the other commands need, into .venv; milliseconds when it is there
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found. Install Python 3.10 to 3.14 and its venv module."; exit 1; }
	@$(PYTHON) tools/bootstrap

demo: setup ## a day in a robot's life: people, memory, questions and answers
	@$(RUN)/robot-memory demo

test: check ## ruff, mypy and all tests, with coverage
	@$(RUN)/python -m pytest --cov --cov-report=term $(PYTEST)

shutdown: setup ## 50 SIGINT and SIGTERM at random moments, questions in flight (the tests try a few)
	@ROBOT_MEMORY_ROUNDS=25 $(RUN)/python -m pytest tests/ros/test_shutdown.py

crash: setup ## 1,000 kill -9 of a writing server, 200 of an operator's work, 1,000 power cuts (the tests try a few)
	@$(RUN)/python tests/crash/kill_laboratory.py --kills 1000
	@$(RUN)/python tests/crash/operator_laboratory.py --kills 200
	@$(RUN)/python tests/crash/power_laboratory.py --cuts 1000

measure: setup ## what memory costs: inserts at 1k to 200k memories, matching of 10,000 faces, minimal pairs
	@OMP_NUM_THREADS=1 $(RUN)/python tools/measure_memory.py

calibrate: setup ## weights of what answers rest on, fitted on half of the building worlds; some minutes
	@OMP_NUM_THREADS=1 $(RUN)/python tools/calibrate_answers.py

lint: setup ## ruff
	@$(RUN)/ruff check

check: lint ## ruff and mypy
	@$(RUN)/mypy

colcon: ## both packages built with colcon against .venv, into ros2_ws/install
	@$(PYTHON) tools/bootstrap --colcon
	@cd ros2_ws && $(CLEAN) ../tools/colcon_build.sh $(COLCON)

clean: ## what builds, checks and the demo have left
	@rm -rf demo build dist src/*.egg-info ros2_ws/build ros2_ws/install ros2_ws/log
	@rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* htmlcov
	@find src tests tools launch -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## the environment, too (models and memories in your home folder stay)
	@rm -rf $(VENV) $(VENV).lock $(VENV).log
